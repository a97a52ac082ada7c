# /// polytab
# measures = true
# ///

# %% work
import time

import paddle

device = paddle.device.get_device()
size = 800 if device == "cpu" else 8000
a = paddle.ones([size, size])


def work(a):
    for _ in range(4):
        a = paddle.tanh(a @ a)
    return a


def wait():
    if device != "cpu":
        paddle.device.synchronize()


result = work(a)
wait()
print(result.shape, "on", device)

# %% returned
from repeated import comparison


def timed():
    start = time.perf_counter()
    work(a)
    returned = time.perf_counter() - start
    wait()
    return {"finished": time.perf_counter() - start, "returned": returned}


comparison("returned", timed)

# %% thread
from concurrent.futures import ThreadPoolExecutor

back_end = ThreadPoolExecutor(max_workers=1)


def timed_in_thread():
    start = time.perf_counter()
    result = back_end.submit(work, a)
    returned = time.perf_counter() - start
    result.result()
    wait()
    return {"finished": time.perf_counter() - start, "returned": returned}


comparison("handed to a thread", timed_in_thread)

# %% waits
row = paddle.ones([3])
for name, action in {
    "result.shape": lambda result: result.shape,
    "result + 1": lambda result: result + 1,
    "result[0, 0]": lambda result: result[0, 0],
    "wait()": lambda result: wait(),
    "result.cpu()": lambda result: result.cpu(),
    "result[0, 0].item()": lambda result: result[0, 0].item(),
    "if result[0, 0] > 0": lambda result: bool(result[0, 0] > 0),
    "result.nonzero()": lambda result: result.nonzero(),
    "print(result)": lambda result: str(result),
}.items():
    action(work(a))
    wait()
    start = time.perf_counter()
    result = work(a)
    returned = time.perf_counter()
    action(result)
    acted = time.perf_counter()
    wait()
    end = time.perf_counter()
    if returned - start > (end - start) / 2:
        print(f"{name:20}", "finds the result there")
    else:
        waits = acted - returned > end - acted
        print(f"{name:20}", "waits" if waits else "goes on")

# %% steps
from measure import compare

x = paddle.ones([size // 10, size // 10])


def step(x):
    return x * 0.5 + 1


def wait_each_time():
    y = x
    for _ in range(200):
        y = step(y)
        wait()


def wait_once():
    y = x
    for _ in range(200):
        y = step(y)
    wait()


compare("steps", wait_each_time=wait_each_time, wait_once=wait_once)

# %% lines
def line_by_line(product_waits):
    wait()
    start = time.perf_counter()
    product = work(a)
    if product_waits:
        wait()
    middle = time.perf_counter()
    product.sum().item()
    end = time.perf_counter()
    return {"product": middle - start, "sum": end - middle}


comparison("two lines", lambda: line_by_line(product_waits=False))

# %% lines-right
comparison("two lines with a barrier",
           lambda: line_by_line(product_waits=True))

# %% row
b = paddle.ones([size // 4, size // 4])


def per_call(calls):
    start = time.perf_counter()
    for _ in range(calls):
        work(b)
    seconds = (time.perf_counter() - start) / calls
    wait()
    return seconds


def finished():
    start = time.perf_counter()
    for _ in range(8):
        work(b)
    wait()
    return (time.perf_counter() - start) / 8


comparison("row", lambda: {
    "8 calls and a barrier": finished(),
    "1 call": per_call(1),
    "8 calls": per_call(8),
    "64 calls": per_call(64),
})

# %% lines-thread
def line_by_line_in_thread():
    start = time.perf_counter()
    product = back_end.submit(work, a)
    middle = time.perf_counter()
    product.result().sum().item()
    end = time.perf_counter()
    return {"product": middle - start, "sum": end - middle}


comparison("two lines and a thread", line_by_line_in_thread)

# %% late raises="IndexError"
def lookup(table, index):
    return paddle.gather(table, index)


table, index = paddle.arange(3), paddle.to_tensor([7])
value = back_end.submit(lookup, table, index)
print("returned")
print("the value is", value.result())

# %% at-once raises="IndexError"
value = lookup(table, index)
print("never printed")

# %% in-flight varies="memory" why="depends on how far Python gets ahead"
from collections import deque

import numpy as np
import psutil


def keep_busy():
    for _ in range(10):
        work(a)


def consume(batch):
    return batch.sum()


def memory():
    return psutil.Process().memory_info().rss / 2**20


def most_memory(ahead, steps=8):
    """Return what memory grew by at the most, never more steps ahead."""
    back_end.submit(keep_busy)  # so that the batches have to wait
    most, pending = 0, deque()
    for number in range(steps):
        batch = paddle.to_tensor(host + number)
        pending.append(back_end.submit(consume, batch))
        if len(pending) > ahead:
            pending.popleft().result()
        most = max(most, memory() - before)
    for each in pending:
        each.result()
    return most


host = np.ones((20_000, 512), "float32")
consume(paddle.to_tensor(host))
print(f"all batches together:  {8 * host.nbytes / 2**20:4.0f} MiB")
before = memory()
for ahead in (0, 2, 8):
    print(f"at most {ahead} steps ahead: {most_memory(ahead):4.0f} MiB")

# %% input
from paddle.io import DataLoader, Dataset


class Records(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, number):
        time.sleep(0.01)  # stands for a disk
        return np.full((256, 512), number / 6, "float32")


w = paddle.ones([512, 512]) / 512


def train(batch):
    for _ in range(2):
        batch = paddle.tanh(batch @ w)
    return batch.mean()


records = Records()
ahead = DataLoader(records, batch_size=None, num_workers=1,
                   prefetch_factor=2)


def direct():
    for number in range(len(records)):
        yield paddle.to_tensor(records[number])


def without_a_barrier():
    means = [train(batch) for batch in direct()]
    wait()
    return means


compare(
    "input",
    in_turn=lambda: [train(batch).item() for batch in direct()],
    without_a_barrier=without_a_barrier,
    with_loader=lambda: [train(batch).item() for batch in ahead],
)
