# /// polytab
# measures = true
# ///

# %% queue
import time

import jax.numpy as jnp

from repeated import comparison

a = jnp.ones((1000, 1000))


def product(a):
    return a @ a @ a


def timed():
    start = time.perf_counter()
    result = product(a)
    returned = time.perf_counter() - start
    result.block_until_ready()
    finished = time.perf_counter() - start
    return {"finished": finished, "returned": returned}


comparison("queue", timed)
