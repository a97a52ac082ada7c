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
    returned = time.perf_counter()
    result[0, 0].item()  # A number can be had only when it is there.
    end = time.perf_counter()
    return {"finished": end - start, "returned": returned - start,
            "left to wait": end - returned}


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

# %% training
from mxnet import autograd
from mxnet.gluon import Trainer, nn


def training(batch):
    net = nn.Dense(256, activation="tanh")
    net.initialize()
    net.hybridize(static_alloc=True, static_shape=True)
    x = np.random.normal(size=(batch, 256))
    trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step():
        with autograd.record():
            loss = np.square(net(x)).mean()
        loss.backward()
        trainer.step(1)
        return loss

    return step


# %% steps
from collections import deque

from measure import sweep


def loops(batch, steps=30):
    step = training(batch)

    def read_late(by):
        """Read each loss when `by` more steps have been issued."""
        losses, pending = [], deque()
        for _ in range(steps):
            pending.append(step())
            if len(pending) > by:
                losses.append(pending.popleft().item())
        return losses + [loss.item() for loss in pending]

    return {"each step": lambda: read_late(0),
            "one step late": lambda: read_late(1),
            "ten steps late": lambda: read_late(10),
            "at the end": lambda: read_late(steps)}


sweep("steps", "batch size", [8, 512], loops,
      wait=lambda _: npx.waitall())

# %% lines
def line_by_line(barrier):
    npx.waitall()
    start = time.perf_counter()
    product = work(a)
    if barrier:
        wait(product)
    middle = time.perf_counter()
    product.sum().item()
    end = time.perf_counter()
    return middle - start, end - middle


def lines():
    product, total = line_by_line(barrier=False)
    again, alone = line_by_line(barrier=True)
    return {"product": product, "sum": total,
            "product, barrier": again, "sum, barrier": alone}


comparison("lines", lines)

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

from measure import compare


class Records(Dataset):
    def __init__(self, load):
        self.load = load

    def __len__(self):
        return 6

    def __getitem__(self, number):
        return self.load()


def read():
    time.sleep(0.01)  # stands for a disk
    return numpy.full((256, 512), 0.5, "float32")


def alone(records):
    """Each record is a batch already."""
    return np.array(records[0])


w = np.ones((512, 512)) / 512


def train(batch):
    for _ in range(6):
        batch = np.tanh(np.dot(batch, w))
    return batch.mean()


def loader(load, **options):
    return DataLoader(Records(load), batch_size=1, batchify_fn=alone,
                      **options)


def logged(batches):
    return [train(batch).item() for batch in batches]


def without_a_barrier():
    means = [train(batch) for batch in direct]
    npx.waitall()
    return means


direct = loader(read)
ahead = loader(read, num_workers=1, thread_pool=True, prefetch=2)
compare(
    "input",
    in_turn=lambda: logged(direct),
    without_a_barrier=without_a_barrier,
    with_loader=lambda: logged(ahead),
)

# %% decoding
import zlib
from concurrent.futures import ThreadPoolExecutor

frames = numpy.random.default_rng(0).integers(16, size=(2, 8, 256, 512))
halves = [zlib.compress(half.tobytes()) for half in frames.astype("uint8")]
threads = ThreadPoolExecutor(max_workers=2)


def decode(half):
    pixels = numpy.frombuffer(zlib.decompress(half), "uint8")
    return pixels.reshape(8, 256, 512).mean(0, dtype="float32")


def decoded(each=map):  # or the `map` of a pool of threads
    one, other = each(decode, halves)
    return (one + other) / 2 / 16  # between 0 and 1


direct = loader(decoded)
divided = loader(lambda: decoded(threads.map))
ahead = loader(decoded, num_workers=1, thread_pool=True, prefetch=2)
compare(
    "decoding",
    in_turn=lambda: logged(direct),
    two_threads_decode=lambda: logged(divided),
    with_loader=lambda: logged(ahead),
)
