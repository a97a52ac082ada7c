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


def kernel(kind):
    """Return what the compiled program holds, and in which types."""
    x = jnp.ones((512, 512), kind)
    text = multiply.lower(x, x).compile().as_text()
    found = re.findall(
        r"= (\w+)\[[\d,]*\]\S* (dot|convert|custom-call)\(", text)
    return ", ".join(f"{name} {kind}" for kind, name in found)


for kind in ("float32", "bfloat16", "float16"):
    print(f"{kind}:", kernel(kind))

# %% instructions-taken
from processes import compare_processes


def work():
    import jax
    import jax.numpy as jnp

    x = jax.random.uniform(jax.random.key(0), (512, 512), jnp.bfloat16)
    multiply = jax.jit(jnp.matmul)
    return lambda: multiply(x, x)[0, 0].item()


compare_processes("instructions", {
    "as it is": (work, {}),
    "without AVX-512": (work, {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2"})})

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


sweep("addition", "numbers", [2**12, 2**24], additions, wait=ready)


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


# %% quantised varies="errors" why="each kernel adds in an order of its own"
def quantised(numbers, axis=None):
    """Return int8 numbers and their scale, one for each row or for all."""
    scale = jnp.abs(numbers).max(axis, keepdims=True) / 127
    return jnp.round(numbers / scale).astype(jnp.int8), scale


whole_product = partial(jnp.matmul, preferred_element_type=jnp.int32)


@partial(jax.jit, static_argnames="rows")
def int8_product(x, weight, rows=True):
    x, x_scale = quantised(x, 1)
    weight, scale = quantised(weight, 1 if rows else None)
    return whole_product(x, weight.T).astype(f32) * x_scale * scale.T


x, weight = jax.random.normal(keys[5], (2, 512, 512), f32)
outlier = weight.at[0, 0].set(40.0)  # of numbers whose size is about 1
for name, each in (("as it is", weight), ("with an outlier", outlier)):
    exact = x.astype(jnp.float64) @ each.T.astype(jnp.float64)
    for rows in (False, True):
        off = int8_product(x, each, rows) - exact
        share = jnp.linalg.norm(off) / jnp.linalg.norm(exact)
        print(f"{name}, {'a scale a row' if rows else 'one scale'}:"
              f" {share:.4f}")

# %% int8-times
whole, x_scale = quantised(x, 1)
narrow, scale = quantised(weight, 1)
multiply_whole = jax.jit(lambda x, weight: whole_product(x, weight.T))
multiply_float = jax.jit(lambda x, weight: x @ weight.T)


@jax.jit
def from_float32(x, narrow, scale):
    whole, x_scale = quantised(x, 1)
    return whole_product(whole, narrow.T).astype(f32) * x_scale * scale.T


compare("int8", float32=lambda: multiply_float(x, weight),
        int8=lambda: multiply_whole(whole, narrow),
        int8_from_float32=lambda: from_float32(x, narrow, scale), wait=ready)
