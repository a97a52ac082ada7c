# %% imperative
class Vector(list):
    """Numbers that say what is done to them."""

    def __add__(self, other):
        print("adding")
        return Vector(a + b for a, b in zip(self, other, strict=True))

    def __mul__(self, number):
        print("multiplying by", number)
        return Vector(a * number for a in self)


def update(weights, gradient):
    shrink = 0.5 * 0.25
    keep = 1 - shrink
    kept = weights * keep
    change = gradient * -0.5
    penalty = weights * 0.25
    updated = kept + change
    return updated, penalty


w = Vector([8.0, 16.0, 24.0])
g = Vector([2.0, 4.0, 6.0])
updated, penalty = update(w, g)
print(updated)

# %% symbolic
lines = [
    "shrink = 0.5 * 0.25",
    "keep = 1 - shrink",
    "kept = weights * keep",
    "change = gradient * -0.5",
    "penalty = weights * 0.25",
    "updated = kept + change",
]


def run(lines, weights, gradient):
    program = compile("\n".join(lines), "update", "exec")
    values = {"weights": weights, "gradient": gradient}
    exec(program, values)
    return values["updated"]


print(run(lines, w, g))


# %% fold
def fold(lines):
    """Compute now what needs no input."""
    known, left = {}, []
    for line in lines:
        target, _, *parts = line.split()
        parts = [str(known.get(part, part)) for part in parts]
        if any(part.isidentifier() for part in parts):
            left.append(" ".join([target, "=", *parts]))
        else:
            known[target] = eval(" ".join(parts))
    return left


folded = fold(lines)
print(*folded, sep="\n")
# Python's own compiler folds too, within a line.
print(compile("\n".join(lines[:2]), "update", "exec").co_consts)


# %% prune
def prune(lines, wanted):
    """Keep what is needed, and free each value after its last use."""
    needed, left = {wanted}, []
    for line in reversed(lines):
        target, _, *parts = line.split()
        if target in needed:
            last = {part for part in parts if part.isidentifier()} - needed
            if last:
                left.append("del " + ", ".join(sorted(last)))
            left.append(line)
            needed |= last
    return left[::-1]


pruned = prune(folded, "updated")
print(*pruned, sep="\n")
print("running it:")
print(run(pruned, w, g))

# %% fuse
# A number needs no freeing.
steps = [line for line in pruned if not line.startswith("del")]
body = "\n        ".join(steps)
source = f"""
def fused(all_weights, all_gradients):
    for weights, gradient in zip(all_weights, all_gradients):
        {body}
        yield updated
"""
print(source.strip())
values = {}
exec(compile(source, "fused", "exec"), values)
print(list(values["fused"](w, g)))


# %% record
class Symbol:
    """Stands for a vector: it has a name and no numbers."""

    def __init__(self, name):
        self.name = name

    def __add__(self, other):
        return note(f"{self.name} + {other.name}")

    def __mul__(self, number):
        return note(f"{self.name} * {number}")


recorded = []


def note(expression):
    result = Symbol(f"v{len(recorded)}")
    recorded.append(f"{result.name} = {expression}")
    return result


updated, penalty = update(Symbol("weights"), Symbol("gradient"))
print(*recorded, sep="\n")
print("pruned for", updated.name)
print(*prune(recorded, updated.name), sep="\n")


# %% unroll
def train(weights, gradient, rounds):
    for number in range(rounds):
        print("round", number)
        weights, _ = update(weights, gradient)
    return weights


recorded.clear()
train(Symbol("weights"), Symbol("gradient"), rounds=2)
two_rounds = list(recorded)
print(*two_rounds, sep="\n")


# %% no-value raises="TypeError"
def careful(weights, gradient, loss):
    if loss > 100:
        return weights
    updated, _ = update(weights, gradient)
    return updated


def is_true(symbol):
    raise TypeError(f"{symbol.name} has no value while tracing")


Symbol.__gt__ = lambda self, number: note(f"{self.name} > {number}")
Symbol.__bool__ = is_true
recorded.clear()
careful(Symbol("weights"), Symbol("gradient"), Symbol("loss"))


# %% waves
def waves(lines, inputs):
    """Group lines so that each group needs earlier groups only."""
    known, left, groups = set(inputs), list(lines), []
    while left:
        group, later = [], []
        for line in left:
            _, _, *parts = line.split()
            needed = {part for part in parts if part.isidentifier()}
            (group if needed <= known else later).append(line)
        known |= {line.split()[0] for line in group}
        groups.append(group)
        left = later
    return groups


for group in waves(folded, ["weights", "gradient"]):
    print(group)


# %% reuse
def reuse(lines):
    """Compute each right-hand side once."""
    first, same, left = {}, {}, []
    for line in lines:
        target, _, *parts = line.split()
        right = " ".join(same.get(part, part) for part in parts)
        if right in first:
            same[target] = first[right]
        else:
            first[right] = target
            left.append(f"{target} = {right}")
    return left


print(*reuse(two_rounds), sep="\n")

# %% decide
del Symbol.__bool__
recorded.clear()
chosen = careful(Symbol("weights"), Symbol("gradient"), Symbol("loss"))
print(*recorded, sep="\n")
print("returns", chosen.name)

# %% rounding
a, b, c = 1e16, -1e16, 1.0
print((a + b) + c, a + (b + c))
