# /// polytab
# measures = true
# ///

# %% queue
import time

import paddle

from measure import taken

a = paddle.ones([1000, 1000])


def product(a):
    return a @ a @ a


def timed():
    start = time.perf_counter()
    result = product(a)
    returned = time.perf_counter() - start
    result[0, 0].item()
    finished = time.perf_counter() - start
    return returned, finished


# The first call may compile and is counted apart.
_, first = timed()
returned, finished = zip(*(timed() for _ in range(25)))
taken("queue", first_call=first, finished=finished, returned=returned)
