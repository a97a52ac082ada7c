# /// polytab
# measures = true
# ///

# %% queue
import time

import torch

from repeated import comparison

device = "cuda" if torch.cuda.is_available() else "cpu"
a = torch.ones(1000, 1000, device=device)


def product(a):
    return a @ a @ a


def timed():
    start = time.perf_counter()
    result = product(a)
    returned = time.perf_counter() - start
    result[0, 0].item()
    finished = time.perf_counter() - start
    return {"finished": finished, "returned": returned}


comparison("queue", timed)
