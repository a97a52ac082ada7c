# /// polytab
# measures = true
# ///

# %% queue
import time

from mxnet import np, npx

from measure import taken

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
    return returned, finished


# The first call may compile and is counted apart.
_, first = timed()
returned, finished = zip(*(timed() for _ in range(25)))
taken("queue", first_call=first, finished=finished, returned=returned)
