# /// polytab
# measures = true
# ///

# %% dispatch
import jax
import jax.numpy as jnp

from measure import compare, sweep

jax.config.update("jax_enable_x64", True)  # or float64 is not to be had
ready = jax.block_until_ready
keys = jax.random.split(jax.random.key(0), 2)


def rand(*shape, key=keys[0], dtype=jnp.float32):
    return jax.random.uniform(key, shape, dtype)


one = jnp.ones(1, jnp.float32)

compare("dispatch", add=lambda: one + one, wait=ready)


# %% stream
plus = jax.jit(jnp.add, donate_argnums=0)  # the sum takes the place of a


def additions(size):
    a, b = rand(size), rand(size, key=keys[1])

    def add():
        nonlocal a
        a = plus(a, b)
        return a

    return {"add": add}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [2**power for power in (8, 11, 14, 17, 20, 23)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% product
def products(width):
    a, b = rand(width, width), rand(width, width, key=keys[1])
    return {"product": lambda: a @ b}


sweep("product", "width", [16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = rand(4096, 4096)


def layers(batch):
    x = rand(batch, 4096)
    return {"layer": lambda: x @ weight}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))


# %% gather
import numpy as np

shuffle = np.random.default_rng(0)  # JAX's own would sort: it takes seconds
fetch = jax.jit(lambda table, index: table[index])


def gathers(length):
    table = rand(length)
    in_order = jnp.arange(length)
    shuffled = jnp.array(shuffle.permutation(length))
    return {"in order": lambda: fetch(table, in_order),
            "shuffled": lambda: fetch(table, shuffled)}


sweep("gather", "elements", [2**12, 2**17, 2**22], gathers, wait=ready)

# %% precision
double = rand(1024, 1024, dtype=jnp.float64)
single = double.astype(jnp.float32)

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
