# /// polytab
# measures = true
# ///

# %% machine varies="sizes" why="they are those of the machine"
from pathlib import Path

for cache in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
    level, kind, size = (Path(cache, name).read_text().strip()
                         for name in ("level", "type", "size"))
    if kind != "Instruction":
        print(f"cache {level}: {size}")
instructions = Path("/proc/cpuinfo").read_text().split()
bits = {"avx512f": 512, "avx2": 256}
print("vectors:", next((bits[each] for each in bits if each in instructions),
                       128), "bits")

# %% order
import random

from measure import sweep, taken


def walks(length):
    numbers = [float(number) for number in range(length)]
    shuffled = random.Random(0).sample(numbers, length)
    copied = [number + 0.0 for number in shuffled]  # the same, made anew
    return {"in order": lambda: sum(numbers),
            "shuffled": lambda: sum(shuffled),
            "copied": lambda: sum(copied)}


sweep("walk", "numbers", [2**10, 2**14, 2**18, 2**22], walks)

# %% beside
import signal
import subprocess
import sys
import time

PROGRAM = """
source, target = bytearray({size}), memoryview(bytearray({size}))
while True:
    target[:] = source
"""


def seconds(source, target, calls=20):
    start = time.perf_counter()
    for _ in range(calls):
        target[:] = source
    return (time.perf_counter() - start) / calls


def copies(size):
    """Copy with and without another process that copies as much."""
    buffers = bytearray(size), memoryview(bytearray(size))
    command = [sys.executable, "-c", PROGRAM.format(size=size)]
    other = subprocess.Popen(command)
    time.sleep(1)
    alone, beside = [], []
    for _ in range(20):
        other.send_signal(signal.SIGSTOP)
        alone.append(seconds(*buffers))
        other.send_signal(signal.SIGCONT)
        beside.append(seconds(*buffers))
    other.kill()
    other.wait()
    return alone, beside


small, small_beside = copies(2**17)
large, large_beside = copies(2**26)
taken("beside", calls=20, small=small, small_beside=small_beside,
      large=large, large_beside=large_beside)
