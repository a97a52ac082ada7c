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


def wait(result=None):
    tf.test.experimental.sync_devices()


result = work(a)
wait()
print(result.shape, "on", result.device.split("/")[-1])

# %% returned
from repeated import comparison


def timed():
    start = time.perf_counter()
    result = work(a)
    returned = time.perf_counter()
    float(result[0, 0])  # A number can be had only when it is there.
    end = time.perf_counter()
    return {"finished": end - start, "returned": returned - start,
            "left to wait": end - returned}


comparison("returned", timed)

# %% asynchronous
tf.config.experimental.set_synchronous_execution(False)
comparison("asynchronous", timed)

# %% waits
row = tf.ones(3)
for name, action in {
    "result.shape": lambda result: result.shape,
    "result + 1": lambda result: result + 1,
    "result[0, 0]": lambda result: result[0, 0],
    "result @ a": lambda result: result @ a,
    "tf.raw_ops.MatMul": lambda result: tf.raw_ops.MatMul(a=result, b=a),
    "row.numpy()": lambda result: row.numpy(),
    "wait()": lambda result: wait(),
    "result.numpy()": lambda result: result.numpy(),
    "float(result[0, 0])": lambda result: float(result[0, 0]),
    "if result[0, 0] > 0": lambda result: bool(result[0, 0] > 0),
    "print(result)": lambda result: str(result),
}.items():
    action(work(a))
    wait()
    result = work(a)
    start = time.perf_counter()
    action(result)
    middle = time.perf_counter()
    result.numpy()
    end = time.perf_counter()
    # Whoever waits for the result leaves nothing to wait for.
    waits = middle - start > end - middle
    print(f"{name:20}", "waits" if waits else "goes on")

# %% training
tf.config.experimental.set_synchronous_execution(True)


def training(batch):
    x = tf.random.normal((batch, 256))
    w = tf.Variable(tf.random.normal((256, 256)) / 16)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w)))
        w.assign_sub(0.01 * tape.gradient(loss, w))
        return loss

    return step


# %% steps
from collections import deque

from measure import sweep


def ready(result):
    if gpus:  # On a CPU a call returns when its work is done.
        wait()


def loops(batch, steps=30):
    step = training(batch)

    def read_late(by):
        """Read each loss when `by` more steps have been issued."""
        losses, pending = [], deque()
        for _ in range(steps):
            pending.append(step())
            if len(pending) > by:
                losses.append(float(pending.popleft()))
        return losses + [float(loss) for loss in pending]

    return {"each step": lambda: read_late(0),
            "one step late": lambda: read_late(1),
            "ten steps late": lambda: read_late(10),
            "at the end": lambda: read_late(steps)}


sweep("steps", "batch size", [8, 512], loops, wait=ready)

# %% lines
def line_by_line(barrier):
    wait()
    start = time.perf_counter()
    product = work(a)
    if barrier:
        wait()
    middle = time.perf_counter()
    float(tf.reduce_sum(product))
    end = time.perf_counter()
    return middle - start, end - middle


def lines():
    product, total = line_by_line(barrier=False)
    again, alone = line_by_line(barrier=True)
    return {"product": product, "sum": total,
            "product, barrier": again, "sum, barrier": alone}


comparison("lines", lines)

# %% late
import re

tf.config.experimental.set_synchronous_execution(False)
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
from measure import compare


def read():
    time.sleep(0.01)  # stands for a disk
    return np.full((256, 512), 0.5, "float32")


def pipeline(load):
    def record(number):
        batch = tf.numpy_function(load, [], tf.float32)
        return tf.ensure_shape(batch, (256, 512))

    options = tf.data.Options()
    options.autotune.enabled = False  # or tf.data prefetches by itself
    return tf.data.Dataset.range(6).map(record).with_options(options)


w = tf.ones((512, 512)) / 512


@tf.function
def train(batch):
    for _ in range(6):
        batch = tf.tanh(batch @ w)
    return tf.reduce_mean(batch)


def logged(batches):
    return [float(train(batch)) for batch in batches]


direct = pipeline(read)
ahead = direct.prefetch(2)
compare(
    "input",
    in_turn=lambda: logged(direct),
    without_a_barrier=lambda: wait([train(batch) for batch in direct]),
    with_loader=lambda: logged(ahead),
)

# %% decoding
import zlib
from concurrent.futures import ThreadPoolExecutor

frames = np.random.default_rng(0).integers(16, size=(2, 8, 256, 512))
halves = [zlib.compress(half.tobytes()) for half in frames.astype("uint8")]
threads = ThreadPoolExecutor(max_workers=2)


def decode(half):
    pixels = np.frombuffer(zlib.decompress(half), "uint8")
    return pixels.reshape(8, 256, 512).mean(0, dtype="float32")


def decoded(each=map):  # or the `map` of a pool of threads
    one, other = each(decode, halves)
    return (one + other) / 2 / 16  # between 0 and 1


direct = pipeline(decoded)
divided = pipeline(lambda: decoded(threads.map))
ahead = direct.prefetch(2)
compare(
    "decoding",
    in_turn=lambda: logged(direct),
    two_threads_decode=lambda: logged(divided),
    with_loader=lambda: logged(ahead),
)
