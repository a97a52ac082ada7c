# %% bits
import struct


def bits_of(number, kind):
    """Return the bits of a number in a type of the module `struct`."""
    packed = struct.pack(">" + kind, number)
    return "".join(f"{byte:08b}" for byte in packed)


def fields(bits, exponent):
    """Cut the bits into sign, exponent and fraction."""
    return bits[:1], bits[1:1 + exponent], bits[1 + exponent:]


for number in (1.0, 2.0, 0.1):
    single = bits_of(number, "f")
    print(f"{number} in float32: ", *fields(single, 8))
    print(f"{number} in float16: ", *fields(bits_of(number, "e"), 5))
    print(f"{number} in bfloat16:", *fields(single[:16], 8))


# %% meaning
def meaning(sign, exponent, fraction):
    """Return the number that the three fields stand for."""
    bias = 2 ** (len(exponent) - 1) - 1
    power = int(exponent, 2) - bias
    part = int(fraction, 2) / 2 ** len(fraction)
    if not int(exponent, 2):  # subnormal: without the leading 1
        size = part * 2.0 ** (power + 1)
    else:
        size = (1 + part) * 2.0 ** power
    return -size if sign == "1" else size


print(meaning(*fields(bits_of(0.1, "f"), 8)))
print(meaning(*fields(bits_of(0.1, "e"), 5)))
print(meaning(*fields(bits_of(0.1, "f")[:16], 8)))

# %% types
TYPES = {"float64": (11, 52), "float32": (8, 23), "TF32": (8, 10),
         "bfloat16": (8, 7), "float16": (5, 10), "FP8 E5M2": (5, 2)}

print(f"{'':9} bits   largest  smallest  spacing at 1")
for name, (exponent, fraction) in TYPES.items():
    top = 2 ** (exponent - 1) - 1  # the exponent above it is for infinity
    largest = (2 - 2.0**-fraction) * 2.0**top
    smallest = 2.0 ** (1 - top - fraction)  # a single bit, subnormal
    print(f"{name:9} {1 + exponent + fraction:4}  {largest:8.3g}"
          f"  {smallest:8.2g}  {2.0**-fraction:.2g}")


# %% rounding
def half(number):
    """Round to float16, and return it as a Python float."""
    try:
        return struct.unpack("e", struct.pack("e", number))[0]
    except OverflowError:  # `struct` refuses what rounds to infinity
        return float("inf") if number > 0 else -float("inf")


print("0.1 becomes", half(0.1))
print("2048 + 1 =", half(2048 + 1))
print("65504 + 16 =", half(65504.0 + 16))
print("300 * 300 =", half(300.0 * 300.0))
print("0.0001 * 0.0001 =", half(half(0.0001) * half(0.0001)))

# %% sums
import math


def one_by_one(numbers):
    total = 0.0
    for number in numbers:
        total = half(total + number)
    return total


def pairwise(numbers):
    """Sum the two halves, and add the sums."""
    if len(numbers) == 1:
        return numbers[0]
    middle = len(numbers) // 2
    return half(pairwise(numbers[:middle]) + pairwise(numbers[middle:]))


def kahan(numbers):
    """Carry along what was lost when the last number was added."""
    total = lost = 0.0
    for number in numbers:
        number = half(number + lost)
        new = half(total + number)
        lost = half(number - half(new - total))
        total = new
    return total


def wide(numbers):
    """Add in Python's own 64 bits, and round once, at the end."""
    return half(sum(numbers))


numbers = [half(0.1)] * 10_000
print("exact:", math.fsum(numbers))
for way in (one_by_one, pairwise, kahan, wide):
    print(f"{way.__name__}: {way(numbers)}")

# %% stuck
total, count = 0.0, 0
while half(total + half(0.1)) != total:
    total = half(total + half(0.1))
    count += 1
print("stuck at", total, "after", count, "additions")
print("the next number of the type:", total + 2.0**(8 - 10))

# %% cancels
def mean(numbers):
    return half(sum(numbers) / len(numbers))


values = [100.0, 101.0, 102.0, 103.0]
middle = mean(values)
differences = [half(value - middle) for value in values]
print("mean square of the differences:",
      mean([half(each * each) for each in differences]))

squares = [half(value * value) for value in values]
print("mean of the squares:", mean(squares))
print("square of the mean: ", half(middle * middle))
print("their difference:   ", half(mean(squares) - half(middle * middle)))

# %% instructions varies="cores" why="they are those of the machine"
from pathlib import Path

USES = {"f16c": "converts float16 and float32",
        "avx512_bf16": "products of bfloat16, sums in float32",
        "avx512_fp16": "arithmetic in float16",
        "amx_bf16": "tiles of bfloat16",
        "avx512_vnni": "products of 8 bits, sums in 32",
        "amx_int8": "tiles of 8 bits"}

cores = [line.split() for line in Path("/proc/cpuinfo").read_text()
         .splitlines() if line.startswith(("flags", "Features"))]
for name, use in USES.items():
    have = sum(name in core for core in cores)
    print(f"{name:11} {use:37} on {have} of {len(cores)} cores")


# %% int8
def quantised(numbers):
    """Return whole numbers from -127 to 127, and their scale."""
    scale = max(map(abs, numbers)) / 127
    return [round(number / scale) for number in numbers], scale


weights = [0.02, -0.5, 0.31, 0.07, -0.11, 0.45]
whole, scale = quantised(weights)
print("whole numbers:", whole)
print("back:", [round(each * scale, 4) for each in whole])

whole, scale = quantised([*weights, 20.0])
print("beside a 20:", whole)
print("back:", [round(each * scale, 4) for each in whole])

# %% two-halves
weight_and_updates = [1.0] + [half(0.0001)] * 1000
for way in (one_by_one, kahan, wide):
    print(f"{way.__name__}: {way(weight_and_updates)}")
