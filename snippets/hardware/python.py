# /// polytab
# measures = true
# ///

# %% copy
from measure import sweep

SIZES = [2**power for power in (10, 13, 16, 19, 22, 25)]


def copies(size):
    source, target = bytearray(size), memoryview(bytearray(size))

    def copy():
        target[:] = source

    return {"copy": copy}


# Each byte is read once and written once.
sweep("copy", "bytes", SIZES, copies, traffic=lambda size: 2 * size)

# %% order
import random


def walks(length):
    numbers = [float(number) for number in range(length)]
    shuffled = random.Random(0).sample(numbers, length)
    return {"in order": lambda: sum(numbers),
            "shuffled": lambda: sum(shuffled)}


sweep("walk", "numbers", [2**10, 2**14, 2**18, 2**22], walks)

# %% call
from measure import compare


def nothing():
    pass


compare("call", nothing=nothing)
