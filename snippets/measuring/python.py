# /// polytab
# measures = true
# ///

# %% once varies="times" why="single runs differ, which is what the cell shows"
import time


def work():
    return sum(number * number for number in range(20_000))


for _ in range(5):
    start = time.perf_counter()
    work()
    print(f"{(time.perf_counter() - start) * 1e6:.0f} microseconds")

# %% noise
from measure import compare

compare("noise", once=work, again=work)


# %% warm-up
def lookup(number, table={}):
    # The first call fills the table, and all later ones find it filled.
    if not table:
        table.update((each, each**0.5) for each in range(500_000))
    return table[number]


def lookups():
    return {"lookup": lambda: lookup(1000)}


compare("warm-up", lookups, first=True)

# %% one-after-the-other
import os
import subprocess
import sys

from measure import taken


def crowd():
    # Other programs, four for each core, that compute without a pause.
    command = [sys.executable, "-c", "while True: pass"]
    return [subprocess.Popen(command) for _ in range(4 * os.cpu_count())]


def sample(calls=50):
    start = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - start) / calls


first = [sample() for _ in range(20)]
others = crowd()
second = [sample() for _ in range(20)]
for other in others:
    other.kill()

taken("one after the other", calls=50, first=first, second=second)

# %% in-turn
first, second = [], []
for turn in range(20):
    if turn == 10:
        others = crowd()
    first.append(sample())
    second.append(sample())
for other in others:
    other.kill()

taken("in turn", calls=50, first=first, second=second)
