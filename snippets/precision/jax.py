# /// polytab
# measures = true
# timeout = 900
# ///

# %% product
import jax
import jax.numpy as jnp

from measure import compare, sweep

jax.config.update("jax_enable_x64", True)  # or float64 is not to be had
ready = jax.block_until_ready
keys = jax.random.split(jax.random.key(0), 8)
exact_a, exact_b = jax.random.uniform(keys[0], (2, 512, 512), jnp.float64)
multiply = jax.jit(jnp.matmul)


@jax.jit
def multiply_converted(a, b):
    # The barrier keeps XLA from joining the conversion with the product.
    wide = jax.lax.optimization_barrier(
        (a.astype(jnp.float32), b.astype(jnp.float32)))
    return jnp.matmul(*wide).astype(a.dtype)


def product(kind, multiply=multiply):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    return lambda: multiply(a, b)


compare("product", float64=product(jnp.float64),
        float32=product(jnp.float32), bfloat16=product(jnp.bfloat16),
        float16=product(jnp.float16),
        bfloat16_converted=product(jnp.bfloat16, multiply_converted),
        float16_converted=product(jnp.float16, multiply_converted),
        wait=ready)

# %% kernels
import re


def kernel(function, *arguments):
    """Return what the compiled program holds, and in which types."""
    text = function.lower(*arguments).compile().as_text()
    found = re.findall(
        r"= (\w+)\[[\d,]*\]\S* (dot|convert|custom-call)\(", text)
    return ", ".join(f"{name} {kind}" for kind, name in found)


for kind in ("float32", "bfloat16", "float16"):
    x = jnp.ones((512, 512), kind)
    print(f"{kind}:", kernel(multiply, x, x))

# %% errors varies="errors" why="each kernel adds in an order of its own"
exact = exact_a @ exact_b


def error(result):
    off = result.astype(jnp.float64) - exact
    return float(jnp.linalg.norm(off) / jnp.linalg.norm(exact))


@jax.jit
def step_by_step(a, b):
    """Round to the type after each of the 512 terms."""
    return jax.lax.fori_loop(
        0, len(b), lambda k, total: total + jnp.outer(a[:, k], b[k]),
        jnp.zeros_like(a))


other = exact_a[:, ::-1] @ exact_b[::-1]
print(f"float64, from the last term to the first: {error(other):.0e}")
for kind in ("float32", "bfloat16", "float16"):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    inputs = a.astype(jnp.float64) @ b.astype(jnp.float64)
    print(f"{kind}: inputs {error(inputs):.0e},"
          f" result {error(exact.astype(kind)):.0e},"
          f" product {error(multiply(a, b)):.0e},"
          f" step by step {error(step_by_step(a, b)):.0e}")

# %% addition
plus = jax.jit(jnp.add, donate_argnums=0)  # the sum takes the place of a


def additions(size):
    def addition(kind):
        a, b = jnp.ones(size, kind), jnp.zeros(size, kind)

        def add():
            nonlocal a
            a = plus(a, b)
            return a

        return add

    return {kind: addition(kind)
            for kind in ("float64", "float32", "bfloat16", "float16")}


sweep("addition", "numbers", [2**16, 2**24], additions, wait=ready)


# %% sums-of-ones
def one_by_one(numbers):
    return jax.lax.fori_loop(0, len(numbers),
                             lambda index, total: total + numbers[index],
                             jnp.zeros_like(numbers[0]))


for kind in ("bfloat16", "float16"):
    ones = jnp.ones(4096, kind)
    print(f"{kind}: one by one {float(one_by_one(ones)):.0f},"
          f" sum {float(ones.sum()):.0f},"
          f" running sum {float(jnp.cumsum(ones)[-1]):.0f},"
          f" product {float(ones @ ones):.0f}")

# %% train
from functools import partial

f32, bf16, f16 = jnp.float32, jnp.bfloat16, jnp.float16
inputs = jax.random.normal(keys[1], (128, 32), f32)
teacher = [jax.random.normal(keys[2], (32, 32), f32) / 6,
           jax.random.normal(keys[3], (32, 32), f32) / 6]
start = [jax.random.normal(keys[4], (32, 32), f32) / 6,
         jnp.zeros((32, 32), f32)]


def network(weights, x):
    first, last = weights
    x = x @ first
    x = x * jax.lax.rsqrt((x * x).mean(1, keepdims=True) + 1e-5)
    return jnp.tanh(x) @ last


@partial(jax.jit, static_argnames=("compute", "keep", "steps"))
def train(compute, keep, scale=1.0, size=1.0, unit=1.0, steps=300, rate=2.0):
    """Return the last loss, as a share of that of answering 0."""
    x = (inputs * size).astype(f32)
    target = (network(teacher, inputs) * unit).astype(f32)

    def loss(weights):
        error = network(weights, x.astype(compute)) - target.astype(compute)
        return (error * error).mean() * jnp.asarray(scale, compute)

    def step(_, weights):
        gradients = jax.grad(loss)([each.astype(compute) for each in weights])
        return [
            (each.astype(f32) - rate * (gradient.astype(f32) / scale))
            .astype(keep) for each, gradient in zip(weights, gradients)]

    weights = jax.lax.fori_loop(
        0, steps, step, [each.astype(keep) for each in start])
    answer = network([each.astype(f32) for each in weights], x)
    return jnp.square(answer - target).mean() / jnp.square(target).mean()


# %% lost varies="losses" why="each kernel adds in an order of its own"
slow = partial(train, rate=0.2, steps=500)  # updates are smaller so
print("                     weights in float32   in bfloat16")
for compute in (f32, bf16):
    print(f"computed in {compute.__name__:8} {slow(compute, f32):18.3f}"
          f" {slow(compute, bf16):13.3f}")

# %% scale varies="losses" why="each kernel adds in an order of its own"
small = 2.0**-14  # what the network is to answer is so much smaller
for compute, scale in ((f32, 1.0), (bf16, 1.0), (f16, 1.0), (f16, 2.0**12)):
    print(f"computed in {compute.__name__:8} loss times {scale:<6.0f}:"
          f" {train(compute, f32, scale, unit=small):.3f}")

# %% range varies="losses" why="each kernel adds in an order of its own"
print("                 inputs of size 1     300   30,000")
for compute in (f32, bf16, f16):
    losses = [train(compute, f32, size=size) for size in (1, 300, 30_000)]
    print(f"computed in {compute.__name__:8}", *(f"{each:12.3f}"
                                                  for each in losses))


# %% mixed
def make(batch):
    weights = [jax.random.normal(key, (1024, 1024), f32) / 32
               for key in keys[4:]]
    return weights, jax.random.normal(keys[0], (batch, 1024), f32)


def forward(weights, x):
    for weight in weights:
        x = jax.nn.relu(x @ weight)
    return x


def loss_of(weights, x, compute):
    """Products in one type; the loss, and the weights, in another."""
    cast = [weight.astype(compute) for weight in weights]
    answer = forward(cast, x.astype(compute))
    return jnp.square(answer.astype(weights[0].dtype)).mean()


@partial(jax.jit, static_argnames="compute", donate_argnums=0)
def update(weights, x, compute):
    gradients = jax.grad(loss_of)(weights, x, compute)
    return [weight - 1e-3 * gradient.astype(weight.dtype)
            for weight, gradient in zip(weights, gradients)]


weights, x = make(4)
shown = jax.eval_shape(
    lambda weights: jax.grad(loss_of)(weights, x, bf16), weights)
print("gradients of float32 weights:", shown[0].dtype)

# %% step
from peak import peak


def steps(batch):
    def step(keep, compute):
        weights, x = make(batch)
        weights = [weight.astype(keep) for weight in weights]

        def run():
            nonlocal weights
            weights = update(weights, x, compute)
            return weights

        return run

    return {"float32": step(f32, f32), "mixed": step(f32, bf16),
            "bfloat16": step(bf16, bf16)}


sweep("step", "batch size", [1, 256], steps, wait=ready,
      memory=peak if jax.default_backend() == "cpu" else None)


# %% memory varies="sizes" why="an allocator takes what is free"
def mebibytes(step):
    return peak(lambda: ready(step())) / 2**20


if jax.default_backend() == "cpu":
    for name, step in steps(4096).items():
        print(f"{name}: {mebibytes(step):.0f} MiB")


# %% quantised varies="errors" why="each kernel adds in an order of its own"
def quantised(numbers, axis=None, top=127):
    """Return whole numbers up to `top`, and the scale that they share."""
    scale = jnp.abs(numbers).max(axis, keepdims=True) / top
    return jnp.round(numbers / scale).astype(jnp.int8), scale


def int8_product(x, weight, axis):
    x, x_scale = quantised(x, 1)
    weight, scale = quantised(weight, axis)
    whole = jnp.matmul(x, weight.T, preferred_element_type=jnp.int32)
    return whole.astype(f32) * x_scale * scale.T


x, weight = jax.random.normal(keys[5], (2, 512, 512), f32)
outlier = weight.at[0, 0].set(40.0)  # of numbers whose size is about 1
for name, each in (("as it is", weight), ("with an outlier", outlier)):
    exact = x.astype(jnp.float64) @ each.T.astype(jnp.float64)
    for axis, share in ((None, "one scale"), (1, "a scale a row")):
        off = int8_product(x, each, axis) - exact
        print(f"{name}, {share}:"
              f" {jnp.linalg.norm(off) / jnp.linalg.norm(exact):.4f}")


# %% fewer-bits varies="errors" why="each kernel adds in an order of its own"
def restored(weight, bits, axis):
    whole, scale = quantised(weight.T, axis, 2 ** (bits - 1) - 1)
    return (whole * scale).T


answers = network(teacher, inputs)
for bits in (8, 4, 2):
    for axis, share in ((None, "one scale"), (1, "a scale a row")):
        weights = [restored(each, bits, axis) for each in teacher]
        off = jnp.square(network(weights, inputs) - answers).mean()
        print(f"{bits} bits, {share}: {off / jnp.square(answers).mean():.4f}")


# %% int8-times
@jax.jit
def int8_layer(x, whole, scale):
    x, x_scale = quantised(x, 1)
    product = jnp.matmul(x, whole.T, preferred_element_type=jnp.int32)
    return product.astype(f32) * x_scale * scale.T


weight = jax.random.normal(keys[6], (4096, 4096), f32)
bf16_weight, int8_weight = weight.astype(bf16), quantised(weight, 1)


def layers(batch):
    x = jax.random.normal(keys[7], (batch, 4096), f32)
    bf16_x = x.astype(bf16)
    return {"float32": lambda: multiply(x, weight),
            "bfloat16": lambda: multiply(bf16_x, bf16_weight),
            "int8": lambda: int8_layer(x, *int8_weight)}


print("int8:", kernel(int8_layer, weight[:128], *int8_weight))
sweep("int8", "batch size", [1, 128], layers, wait=ready)
