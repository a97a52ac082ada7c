# /// polytab
# measures = true
# ///

# %% queue
import time

from mxnet import np, npx

from repeated import comparison

npx.set_np()
a = np.ones((1000, 1000))


def product(a):
    return np.dot(np.dot(a, a), a)


def timed():
    start = time.perf_counter()
    result = product(a)
    returned = time.perf_counter() - start
    result.wait_to_read()
    finished = time.perf_counter() - start
    return {"finished": finished, "returned": returned}


comparison("queue", timed)
