# /// polytab
# measures = true
# ///

# %% stream
import jax
import jax.numpy as jnp

from measure import compare, sweep

jax.config.update("jax_enable_x64", True)  # or float64 is not to be had
ready = jax.block_until_ready
keys = jax.random.split(jax.random.key(0), 3)


def rand(*shape, key=keys[0], dtype=jnp.float32):
    return jax.random.uniform(key, shape, dtype)


plus = jax.jit(jnp.add, donate_argnums=0)  # the sum takes the place of a


def additions(size):
    a, b, c = (rand(size, key=key) for key in keys)

    def add():
        nonlocal a
        a = plus(a, b)
        return a

    return {"in place": add, "new array": lambda: b + c}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [16**power for power in range(7)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)

# %% gather
import numpy as np

shuffle = np.random.default_rng(0)  # JAX's own would sort: it takes seconds
# Eagerly, JAX would prepare the indices in operations of their own.
fetch = jax.jit(lambda table, index: table[index])


def lookups(rows):
    # Always 2**22 numbers: the more rows there are, the shorter they are.
    table = rand(rows, 2**22 // rows)
    in_order = jnp.arange(rows)
    shuffled = jnp.array(shuffle.permutation(rows))
    return {"in order": lambda: fetch(table, in_order),
            "shuffled": lambda: fetch(table, shuffled)}


ROWS = [2**power for power in (16, 18, 20, 22)]
sweep("gather", "rows", ROWS, lookups, wait=ready)


# %% product
def products(width):
    a, b = rand(width, width), rand(width, width, key=keys[1])
    return {"product": lambda: a @ b}


sweep("product", "width", [1, 16, 64, 256, 1024], products, wait=ready,
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

# %% one-example
# The same bytes of weights as above, in sixteen pieces.
row = rand(1, 4096)
x = rand(1, 1024)
sixteen = [rand(1024, 1024, key=key) for key in jax.random.split(keys[1], 16)]


def products_with(weights):
    return [x @ each for each in weights]


compare("one example", layer=lambda: row @ weight,
        sixteen_matrices=lambda: products_with(sixteen),
        one_matrix=lambda: products_with(sixteen[:1] * 16), wait=ready)

# %% precision
double = rand(1024, 1024, dtype=jnp.float64)
single = double.astype(jnp.float32)

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
