# /// polytab
# measures = true
# ///

# %% work
import time

from mxnet import np, npx

npx.set_np()
size = 800
a = np.ones((size, size))


def work(a):
    for _ in range(4):
        a = np.tanh(np.dot(a, a))
    return a


def wait(result):
    result.wait_to_read()


result = work(a)
print("returned:", type(result).__name__, result.shape)
result.wait_to_read()
print("finished: the sum is", result.sum())

# %% returned
from repeated import comparison


def timed():
    start = time.perf_counter()
    result = work(a)
    returned = time.perf_counter() - start
    wait(result)
    return {"finished": time.perf_counter() - start, "returned": returned}


comparison("returned", timed)

# %% waits
row = np.ones(3)
npx.waitall()
for name, action in {
    "result.shape": lambda result: result.shape,
    "result + 1": lambda result: result + 1,
    "result[0, 0]": lambda result: result[0, 0],
    "row.wait_to_read()": lambda result: row.wait_to_read(),
    "result.wait_to_read()": lambda result: result.wait_to_read(),
    "npx.waitall()": lambda result: npx.waitall(),
    "result.asnumpy()": lambda result: result.asnumpy(),
    "float(result[0, 0])": lambda result: float(result[0, 0]),
    "if result[0, 0] > 0": lambda result: bool(result[0, 0] > 0),
    "print(result)": lambda result: str(result),
}.items():
    result = work(a)
    start = time.perf_counter()
    action(result)
    middle = time.perf_counter()
    npx.waitall()
    end = time.perf_counter()
    # Whoever waits for the product leaves nothing to wait for.
    waits = middle - start > end - middle
    print(f"{name:22}", "waits" if waits else "goes on")

# %% steps
from measure import compare

x = np.ones((size // 10, size // 10))


def step(x):
    return x * 0.5 + 1


def wait_each_time():
    y = x
    for _ in range(200):
        y = step(y)
        wait(y)


def wait_once():
    y = x
    for _ in range(200):
        y = step(y)
    wait(y)


compare("steps", wait_each_time=wait_each_time, wait_once=wait_once)

# %% lines
def line_by_line(product_waits):
    npx.waitall()
    start = time.perf_counter()
    product = work(a)
    if product_waits:
        wait(product)
    middle = time.perf_counter()
    float(product.sum())
    end = time.perf_counter()
    return {"product": middle - start, "sum": end - middle}


comparison("two lines", lambda: line_by_line(product_waits=False))

# %% lines-right
comparison("two lines with a barrier",
           lambda: line_by_line(product_waits=True))

# %% row
b = np.ones((size // 4, size // 4))


def per_call(calls):
    start = time.perf_counter()
    for _ in range(calls):
        work(b)
    seconds = (time.perf_counter() - start) / calls
    npx.waitall()
    return seconds


def finished():
    start = time.perf_counter()
    for _ in range(8):
        work(b)
    npx.waitall()
    return (time.perf_counter() - start) / 8


comparison("row", lambda: {
    "8 calls and a barrier": finished(),
    "1 call": per_call(1),
    "8 calls": per_call(8),
    "64 calls": per_call(64),
})

# %% late raises="MXNetError"
table = np.arange(3)
value = np.take(table, np.array([7]), mode="raise")
print("returned")
total = value + 1
print("still going on")
print("the total is", total)

# %% at-once
import os
import subprocess
import sys

program = """
from mxnet import np, npx
npx.set_np()
table = np.arange(3)
value = np.take(table, np.array([7]), mode="raise")
print("never printed")
"""
naive = {**os.environ, "MXNET_ENGINE_TYPE": "NaiveEngine"}
ran = subprocess.run([sys.executable, "-c", program], env=naive,
                     capture_output=True, text=True)
print(ran.stdout or "nothing was printed")
print(*ran.stderr.strip().splitlines()[-1:])

# %% in-flight varies="memory" why="depends on how far Python gets ahead"
from collections import deque

import numpy
import psutil


def consume(batch, busy):
    return batch.sum() + busy[0, 0]


def memory():
    return psutil.Process().memory_info().rss / 2**20


def most_memory(ahead, steps=8):
    """Return what memory grew by at the most, never more steps ahead."""
    busy = a
    for _ in range(20):
        busy = work(busy)  # so that the batches have to wait
    most, pending = 0, deque()
    for number in range(steps):
        pending.append(consume(np.array(host + number), busy))
        if len(pending) > ahead:
            wait(pending.popleft())
        most = max(most, memory() - before)
    npx.waitall()
    return most


host = numpy.ones((20_000, 512), "float32")
wait(consume(np.array(host), a))
print(f"all batches together:  {8 * host.nbytes / 2**20:4.0f} MiB")
before = memory()
for ahead in (0, 2, 8):
    print(f"at most {ahead} steps ahead: {most_memory(ahead):4.0f} MiB")

# %% input
from mxnet.gluon.data import DataLoader, Dataset


class Records(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, number):
        time.sleep(0.01)  # stands for a disk
        return numpy.full((256, 512), number / 6, "float32")


def alone(records):
    """Each record is a batch already."""
    return np.array(records[0])


w = np.ones((512, 512)) / 512


def train(batch):
    for _ in range(6):
        batch = np.tanh(np.dot(batch, w))
    return batch.mean()


direct = DataLoader(Records(), batch_size=1, batchify_fn=alone)
ahead = DataLoader(Records(), batch_size=1, batchify_fn=alone,
                   num_workers=1, thread_pool=True, prefetch=2)


def without_a_barrier():
    means = [train(batch) for batch in direct]
    npx.waitall()
    return means


compare(
    "input",
    in_turn=lambda: [float(train(batch)) for batch in direct],
    without_a_barrier=without_a_barrier,
    with_loader=lambda: [float(train(batch)) for batch in ahead],
)
