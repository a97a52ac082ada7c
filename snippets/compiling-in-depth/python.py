

# %% traffic
read, written = [], []


class Counted:
    """A vector that only counts what an operation on it would move."""

    def operation(self, *others):
        vectors = [self, *(each for each in others if each is not self)]
        read.append(sum(isinstance(each, Counted) for each in vectors))
        written.append(1)
        return Counted()

    __add__ = __radd__ = __mul__ = __rmul__ = operation
    tanh = operation


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + inner.tanh())


def count(function):
    read.clear()
    written.clear()
    function(Counted())
    print("operations:", len(written))
    print("vectors read:", sum(read), "- written:", sum(written))
    print("bytes for each element:", 4 * (sum(read) + sum(written)))
    print("the same in one loop:", 4 * (1 + 1))


count(gelu)

# %% specialise
scale = 10


def make(function, example):
    """Make a program of a function: here only a note of what it will use."""
    print("  making a program for", len(example), "numbers, scale", scale)
    frozen = scale
    return lambda values: [function(each, frozen) for each in values]


def specialised(function):
    """Keep a program for each length, and look there first."""
    programs = {}

    def call(values):
        key = (type(values).__name__, len(values))
        if key not in programs:
            programs[key] = make(function, values)
        return programs[key](values)

    return call


times = specialised(lambda value, factor: value * factor)
print(times([1, 2, 3]))
print(times([4, 5, 6]))
print(times([1, 2]))

# %% unguarded
scale = 1000
print(times([1, 2, 3]))
print(times([1, 2, 3, 4]))


# %% guarded
def make_guarded(example):
    """Return a program, and a function that says if it is still right."""
    length, frozen = len(example), scale
    print("  making a program for", length, "numbers, scale", frozen)
    return (lambda values: len(values) == length and scale == frozen,
            lambda values: [each * frozen for each in values])


kept = []


def guarded(values):
    for holds, program in kept:
        if holds(values):
            return program(values)
    kept.append(make_guarded(values))
    return kept[-1][1](values)


for scale in (10, 1000, 10):
    print("scale", scale)
    print(guarded([1, 2, 3]))


# %% buckets
def share_of_padding(bucket):
    sizes = [bucket(length) for length in range(1, 513)]
    padding = 1 - sum(range(1, 513)) / sum(sizes)
    print(f"{len(set(sizes))} programs, {padding:.0%} of the rows are padding")


share_of_padding(lambda length: 1 << (length - 1).bit_length())
share_of_padding(lambda length: 64 * -(-length // 64))
