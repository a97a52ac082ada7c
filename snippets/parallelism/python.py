# /// polytab
# measures = true
# ///

# %% program
# What each operation reads, and how long it takes.
program = {
    "left": ((), 3),
    "left relu": (("left",), 1),
    "right": ((), 3),
    "right relu": (("right",), 1),
    "concat": (("left relu", "right relu"), 2),
}
print("work:", sum(duration for _, duration in program.values()))


# %% schedule
def schedule(program, workers):
    free = [0] * workers  # when each worker can take the next operation
    end = {}
    waiting = dict(program)
    while waiting:
        # Of the operations whose inputs are known, take the first to start.
        starts = {name: max((end[each] for each in reads), default=0)
                  for name, (reads, _) in waiting.items()
                  if all(each in end for each in reads)}
        name = min(starts, key=starts.get)
        worker = free.index(min(free))
        start = max(starts[name], free[worker])
        end[name] = free[worker] = start + waiting.pop(name)[1]
        print(f"  worker {worker}: {start:2} to {end[name]:2}  {name}")
    return max(end.values())


for workers in (1, 2, 3):
    print(workers, "at work:")
    print("  done after", schedule(program, workers))


# %% amdahl
def gain(parallel, workers):
    return 1 / (1 - parallel + parallel / workers)


print("workers:     ", *(f"{workers:6}" for workers in (2, 4, 16, 1000)))
for parallel in (0.5, 0.9, 0.99):
    gains = (gain(parallel, workers) for workers in (2, 4, 16, 1000))
    print(f"part of {parallel:4}:", *(f"{each:6.2f}" for each in gains))

# %% python-threads
from concurrent.futures import ThreadPoolExecutor

from measure import compare, sweep

pool = ThreadPoolExecutor(2)


def count(_):
    return sum(number * number for number in range(500_000))


compare("python-threads",
        in_turn=lambda: [count(0), count(1)],
        at_once=lambda: list(pool.map(count, (0, 1))))

# %% empty
def nothing(_):
    pass


compare("empty", at_once=lambda: list(pool.map(nothing, (0, 1))))

# %% released
import hashlib


def hashes(length):
    data = bytes(length)

    def digest(_):
        return hashlib.sha256(data).digest()

    return {"in turn": lambda: [digest(0), digest(1)],
            "at once": lambda: list(pool.map(digest, (0, 1)))}


sweep("released", "bytes", [3_000, 300_000, 30_000_000], hashes)


# %% mean
def gradient(weight, examples):
    # The derivative of the mean of (weight * x - y) ** 2 by the weight.
    return sum(2 * x * (weight * x - y) for x, y in examples) / len(examples)


examples = [(1, 3), (2, 5), (4, 9), (3, 8)]
print("whole batch:", gradient(1, examples))
halves = gradient(1, examples[:2]), gradient(1, examples[2:])
print("halves:     ", *halves, "with mean", sum(halves) / 2)
unequal = gradient(1, examples[:1]), gradient(1, examples[1:])
print("unequal:    ", *unequal, "with mean", sum(unequal) / 2)


# %% parts
def product(x, weight):
    return [sum(a * b for a, b in zip(x, column)) for column in zip(*weight)]


x, weight = [1, 2], [[1, 2, 3, 4],
                     [5, 6, 7, 8]]
left, right = [row[:2] for row in weight], [row[2:] for row in weight]
print("whole:  ", product(x, weight))
print("columns:", product(x, left), product(x, right))
print("rows:   ", product(x[:1], weight[:1]), product(x[1:], weight[1:]))

# %% greedy
unlucky = {
    "short": ((), 2),
    "middle": ((), 2),
    "long": ((), 4),
}
print("greedy:", schedule(unlucky, 2))
print("the long one first:", schedule(dict(reversed(unlucky.items())), 2))
