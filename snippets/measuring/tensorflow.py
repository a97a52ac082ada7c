# /// polytab
# measures = true
# ///

# %% queue
import time

import tensorflow as tf

from repeated import comparison

a = tf.ones((1000, 1000))


def product(a):
    return a @ a @ a


def timed():
    start = time.perf_counter()
    result = product(a)
    returned = time.perf_counter() - start
    result[0, 0].numpy()
    finished = time.perf_counter() - start
    return {"finished": finished, "returned": returned}


comparison("queue", timed)
