# /// polytab
# measures = true
# ///

# %% work
import time

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
size = 8000 if gpus else 800
a = tf.ones((size, size))


@tf.function
def work(a):
    for _ in range(4):
        a = tf.tanh(a @ a)
    return a


def wait():
    tf.test.experimental.sync_devices()


result = work(a)
wait()
print(result.shape, "on", result.device.split("/")[-1])

# %% returned
from repeated import comparison


def timed():
    start = time.perf_counter()
    work(a)
    returned = time.perf_counter() - start
    wait()
    return {"finished": time.perf_counter() - start, "returned": returned}


comparison("returned", timed)

# %% asynchronous
tf.config.experimental.set_synchronous_execution(False)
comparison("asynchronous", timed)

# %% waits
row = tf.ones(3)
total = tf.function(tf.reduce_sum)
for name, action in {
    "result.shape": lambda result: result.shape,
    "result + 1": lambda result: result + 1,
    "result[0, 0]": lambda result: result[0, 0],
    "result @ a": lambda result: result @ a,
    "total(result)": lambda result: total(result),
    "row.numpy()": lambda result: row.numpy(),
    "wait()": lambda result: wait(),
    "result.numpy()": lambda result: result.numpy(),
    "float(result[0, 0])": lambda result: float(result[0, 0]),
    "if result[0, 0] > 0": lambda result: bool(result[0, 0] > 0),
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

x = tf.ones((size // 10, size // 10))


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
    float(tf.reduce_sum(product))
    end = time.perf_counter()
    return {"product": middle - start, "sum": end - middle}


comparison("two lines", lambda: line_by_line(product_waits=False))

# %% lines-right
comparison("two lines with a barrier",
           lambda: line_by_line(product_waits=True))

# %% row
b = tf.ones((size // 4, size // 4))


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

# %% late
import re

table = tf.range(1)
for _ in range(10):
    busy = work(a)
index = tf.cast(busy[0, 0], tf.int32)  # a one, when it will be there
value = tf.gather(table, index)
print("returned")
total = tf.add(value, table)
print("still going on")
try:
    print("the total is", total.numpy())
except tf.errors.InvalidArgumentError as error:
    print("numpy() raised:", re.search("indices .*", str(error))[0])

# %% cleared
try:
    print(tf.add(table, table).numpy())
except tf.errors.InvalidArgumentError:
    print("unrelated work fails too")
tf.experimental.async_clear_error()
print(tf.add(table, table).numpy())

# %% late-shape
total = tf.add(tf.ones(2), tf.ones(3))
print("returned")
try:
    total.numpy()
except tf.errors.InvalidArgumentError:
    print("two elements and three do not fit")
tf.experimental.async_clear_error()

# %% at-once raises="InvalidArgumentError"
tf.config.experimental.set_synchronous_execution(True)
value = tf.gather(table, index)
print("never printed")

# %% in-flight varies="memory" why="depends on how far Python gets ahead"
from collections import deque

import numpy as np
import psutil

tf.config.experimental.set_synchronous_execution(False)

axes = tf.constant([0, 1])


def consume(batch):
    # Unlike `tf.reduce_sum` this does not look at the shape.
    return tf.raw_ops.Sum(input=batch, axis=axes)


def memory():
    return psutil.Process().memory_info().rss / 2**20


def most_memory(ahead, steps=8):
    """Return what memory grew by at the most, never more steps ahead."""
    for _ in range(20):
        work(a)  # so that the batches have to wait
    most, pending = 0, deque()
    for number in range(steps):
        pending.append(consume(tf.constant(host + number)))
        if len(pending) > ahead:
            pending.popleft().numpy()
        most = max(most, memory() - before)
    wait()
    return most


host = np.ones((20_000, 512), "float32")
consume(tf.constant(host))
wait()
print(f"all batches together:  {8 * host.nbytes / 2**20:4.0f} MiB")
before = memory()
for ahead in (0, 2, 8):
    print(f"at most {ahead} steps ahead: {most_memory(ahead):4.0f} MiB")
tf.config.experimental.set_synchronous_execution(True)

# %% input
def load(number):
    time.sleep(0.01)  # stands for a disk
    return np.full((256, 512), number / 6, "float32")


def read(number):
    batch = tf.numpy_function(load, [number], tf.float32)
    return tf.ensure_shape(batch, (256, 512))


w = tf.ones((512, 512)) / 512


@tf.function
def train(batch):
    for _ in range(6):
        batch = tf.tanh(batch @ w)
    return tf.reduce_mean(batch)


options = tf.data.Options()
options.autotune.enabled = False  # or tf.data prefetches by itself
direct = tf.data.Dataset.range(6).map(read).with_options(options)
ahead = direct.prefetch(2)


def without_a_barrier():
    means = [train(batch) for batch in direct]
    wait()
    return means


compare(
    "input",
    in_turn=lambda: [float(train(batch)) for batch in direct],
    without_a_barrier=without_a_barrier,
    with_loader=lambda: [float(train(batch)) for batch in ahead],
)
