# /// polytab
# measures = true
# timeout = 900
# ///

# %% product
import paddle

from measure import compare, sweep

device = paddle.device.get_device()


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


paddle.seed(0)
exact_a = paddle.rand([512, 512], dtype="float64")
exact_b = paddle.rand([512, 512], dtype="float64")


def product(kind):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    return lambda: a @ b


def converted(kind):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    return lambda: (a.astype("float32") @ b.astype("float32")).astype(kind)


compare("product", float64=product("float64"), float32=product("float32"),
        bfloat16_converted=converted("bfloat16"),
        float16_converted=converted("float16"), wait=ready)

# %% refused raises="RuntimeError"
product("bfloat16")()

# %% errors varies="errors" why="each kernel adds in an order of its own"
exact = exact_a @ exact_b


def error(result):
    off = result.astype("float64") - exact
    return float(off.norm() / exact.norm())


def step_by_step(a, b, kind):
    """Round to the type after each of the 512 terms."""
    total = paddle.zeros_like(a)
    for column, row in zip(a.T, b):
        total = (total + column.unsqueeze(1) * row).astype(kind)
        total = total.astype("float32")
    return total


other = exact_a.flip(1) @ exact_b.flip(0)
print(f"float64, from the last term to the first: {error(other):.0e}")
for kind in ("float32", "bfloat16", "float16"):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    inputs = a.astype("float64") @ b.astype("float64")
    a, b = a.astype("float32"), b.astype("float32")
    print(f"{kind}: inputs {error(inputs):.0e},"
          f" result {error(exact.astype(kind)):.0e},"
          f" converted {error((a @ b).astype(kind)):.0e},"
          f" step by step {error(step_by_step(a, b, kind)):.0e}")


# %% addition
def additions(size):
    def addition(kind):
        a = paddle.ones([size], dtype=kind)
        b = paddle.zeros([size], dtype=kind)
        return lambda: a.add_(b)

    return {kind: addition(kind) for kind in ("float64", "float32")}


sweep("addition", "numbers", [2**16, 2**24], additions, wait=ready)


# %% train
inputs = paddle.randn([128, 32])
teacher = [paddle.randn([32, 32]) / 6, paddle.randn([32, 32]) / 6]
start = [paddle.randn([32, 32]) / 6, paddle.zeros([32, 32])]


def network(weights, x, rounded=lambda x: x):
    """Round after each operation; the gradients pass the same casts."""
    first, last = weights
    x = rounded(x @ first)
    mean = rounded(rounded(x * x).mean(1, keepdim=True))
    x = rounded(x * rounded(paddle.rsqrt(mean + 1e-5)))
    return rounded(rounded(paddle.tanh(x)) @ last)


def train(compute, keep, scale=1.0, size=1.0, unit=1.0, steps=300, rate=2.0):
    """Return the last loss, as a share of that of answering 0."""
    def rounded(x):
        return x.astype(compute).astype("float32")

    x, target = inputs * size, network(teacher, inputs) * unit
    weights = [each.astype(keep) for each in start]
    for _ in range(steps):
        used = [rounded(each.astype("float32")) for each in weights]
        for each in used:
            each.stop_gradient = False
        error = rounded(network(used, rounded(x), rounded) - rounded(target))
        loss = rounded(rounded(error * error).mean())
        gradients = paddle.grad(rounded(loss * scale), used)
        weights = [(each.astype("float32") - rate * (rounded(gradient) / scale)
                    ).astype(keep)
                   for each, gradient in zip(weights, gradients)]
    answer = network([each.astype("float32") for each in weights], x)
    return float((answer - target).square().mean() / target.square().mean())


# %% lost varies="losses" why="each kernel adds in an order of its own"
from functools import partial

f32, bf16, f16 = "float32", "bfloat16", "float16"
slow = partial(train, rate=0.2, steps=500)  # updates are smaller so
print("                     weights in float32   in bfloat16")
for compute in (f32, bf16):
    print(f"computed in {compute:8} {slow(compute, f32):18.3f}"
          f" {slow(compute, bf16):13.3f}")

# %% scale varies="losses" why="each kernel adds in an order of its own"
small = 2.0**-14  # what the network is to answer is so much smaller
for compute, scale in ((f32, 1.0), (bf16, 1.0), (f16, 1.0), (f16, 2.0**12)):
    print(f"computed in {compute:8} loss times {scale:<6.0f}:"
          f" {train(compute, f32, scale, unit=small):.3f}")

# %% range varies="losses" why="each kernel adds in an order of its own"
print("                 inputs of size 1     300   30,000")
for compute in (f32, bf16, f16):
    losses = [train(compute, f32, size=size) for size in (1, 300, 30_000)]
    print(f"computed in {compute:8}", *(f"{each:12.3f}" for each in losses))

# %% autocast
import warnings

x = paddle.ones([4, 4])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with paddle.amp.auto_cast(dtype="bfloat16"):
        print("product:", (x @ x).dtype)
    scaler = paddle.amp.GradScaler()
for each in caught:
    print(each.message)


# %% quantised varies="errors" why="each kernel adds in an order of its own"
def quantised(numbers, axis=None, top=127):
    """Return whole numbers up to `top`, as float32, and their scale."""
    scale = numbers.abs().max(axis, keepdim=True) / top
    return (numbers / scale).round(), scale


def int8_product(x, weight, axis):
    x, x_scale = quantised(x, 1)
    weight, scale = quantised(weight, axis)
    # In float64 the sums of whole numbers are exact, as in 32-bit integers.
    whole = x.astype("float64") @ weight.astype("float64").T
    return whole * x_scale.astype("float64") * scale.astype("float64").T


x, weight = paddle.randn([512, 512]), paddle.randn([512, 512])
outlier = weight.clone()
outlier[0, 0] = 40.0
for name, each in (("as it is", weight), ("with an outlier", outlier)):
    exact = x.astype("float64") @ each.astype("float64").T
    for axis, share in ((None, "one scale"), (1, "a scale a row")):
        off = int8_product(x, each, axis) - exact
        print(f"{name}, {share}: {float(off.norm() / exact.norm()):.4f}")


# %% fewer-bits varies="errors" why="each kernel adds in an order of its own"
def restored(weight, bits, axis):
    whole, scale = quantised(weight.T, axis, 2 ** (bits - 1) - 1)
    return (whole * scale).T


answers = network(teacher, inputs)
for bits in (8, 4, 2):
    for axis, share in ((None, "one scale"), (1, "a scale a row")):
        weights = [restored(each, bits, axis) for each in teacher]
        off = (network(weights, inputs) - answers).square().mean()
        print(f"{bits} bits, {share}:"
              f" {float(off / answers.square().mean()):.4f}")

# %% no-int8 raises="RuntimeError"
whole = paddle.ones([4, 4], dtype="int8")
whole @ whole
