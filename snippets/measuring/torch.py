# /// polytab
# measures = true
# ///

# %% queue
import time

import torch

from measure import Comparison

a = torch.ones(1000, 1000)


def product(a):
    return a @ a @ a


def timed():
    start = time.perf_counter()
    result = product(a)
    returned = time.perf_counter() - start
    result[0, 0].item()
    finished = time.perf_counter() - start
    return returned, finished


def as_case(name, times):
    return {"name": name, "calls": len(times), "first_calls": [first],
            "samples": [times], "memory": None}


# The first call may compile and is counted apart.
_, first = timed()
returned, finished = zip(*(timed() for _ in range(25)))
Comparison({"schema": 1, "name": "queue",
            "cases": [as_case("finished", list(finished)),
                      as_case("returned", list(returned))]})
