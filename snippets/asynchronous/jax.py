# /// polytab
# measures = true
# ///

# %% work
import time

import jax
import jax.numpy as jnp

device = jax.default_backend()
size = 800 if device == "cpu" else 8000
a = jnp.ones((size, size))


@jax.jit
def work(a):
    for _ in range(4):
        a = jnp.tanh(a @ a)
    return a


def wait(result):
    jax.block_until_ready(result)


wait(work(a))  # compiles
result = work(a)
print("there when the call returns:", result.is_ready())
result.block_until_ready()
print("there after the barrier:", result.is_ready())

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

# %% waits
import numpy as np

row = jnp.ones(3)
for name, action in {
    "result.shape": lambda result: result.shape,
    "result + 1": lambda result: result + 1,
    "result[0, 0]": lambda result: result[0, 0],
    "row.block_until_ready()": lambda result: row.block_until_ready(),
    "result.block_until_ready()": lambda result: result.block_until_ready(),
    "np.asarray(result)": lambda result: np.asarray(result),
    "float(result[0, 0])": lambda result: float(result[0, 0]),
    "if result[0, 0] > 0": lambda result: bool(result[0, 0] > 0),
    "print(result)": lambda result: str(result),
}.items():
    result = work(a)
    action(result)  # compiles what it needs
    wait(result)
    result = work(a)
    action(result)
    print(f"{name:26}", "waits" if result.is_ready() else "goes on")

# %% training
def training(batch):
    x = jax.random.normal(jax.random.key(0), (batch, 256))
    w = jax.random.normal(jax.random.key(1), (256, 256)) / 16

    @jax.jit
    def update(w, x):
        def loss_of(w):
            return jnp.square(jnp.tanh(x @ w)).mean()

        loss, gradient = jax.value_and_grad(loss_of)(w)
        return w - 0.01 * gradient, loss

    def step():
        nonlocal w
        w, loss = update(w, x)
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
                losses.append(float(pending.popleft()))
        return losses + [float(loss) for loss in pending]

    return {"each step": lambda: read_late(0),
            "one step late": lambda: read_late(1),
            "ten steps late": lambda: read_late(10),
            "at the end": lambda: read_late(steps)}


sweep("steps", "batch size", [8, 512], loops, wait=wait)

# %% lines
def line_by_line(barrier):
    wait(a)
    start = time.perf_counter()
    product = work(a)
    if barrier:
        wait(product)
    middle = time.perf_counter()
    float(product.sum())
    end = time.perf_counter()
    return middle - start, end - middle


def lines():
    product, total = line_by_line(barrier=False)
    again, alone = line_by_line(barrier=True)
    return {"product": product, "sum": total,
            "product, barrier": again, "sum, barrier": alone}


comparison("lines", lines)

# %% row
b = jnp.ones((size // 4, size // 4))


def per_call(calls):
    start = time.perf_counter()
    results = [work(b) for _ in range(calls)]
    seconds = (time.perf_counter() - start) / calls
    wait(results)
    return seconds


def finished():
    start = time.perf_counter()
    wait([work(b) for _ in range(8)])
    return (time.perf_counter() - start) / 8


comparison("row", lambda: {
    "8 calls and a barrier": finished(),
    "1 call": per_call(1),
    "8 calls": per_call(8),
    "64 calls": per_call(64),
})

# %% limit
results = [work(a)]
while not results[0].is_ready():
    results.append(work(a))
print("calls that returned before the first result was there:",
      len(results) - 1)
wait(results)

# %% late raises="JaxRuntimeError"
from jax.experimental import checkify


def lookup(table, index):
    checkify.check(index < len(table), "no entry {i}", i=index)
    return table[index]


table = jnp.arange(3.0)
print("unchecked:", table[7])
error, value = jax.jit(checkify.checkify(lookup))(table, 7)
print("returned")
total = value + 1
print("still going on")
error.throw()

# %% at-once raises="FloatingPointError"
print(jnp.log(jnp.array([1.0, -1.0])))
with jax.debug_nans(True):
    jnp.log(jnp.array([1.0, -1.0]))
    print("never printed")

# %% in-flight varies="memory" why="depends on how far Python gets ahead"
import psutil


@jax.jit
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
        pending.append(consume(host + number, busy))
        if len(pending) > ahead:
            wait(pending.popleft())
        most = max(most, memory() - before)
    wait(list(pending))
    return most


host = np.ones((20_000, 512), "float32")
wait(consume(host, a))
print(f"all batches together:  {8 * host.nbytes / 2**20:4.0f} MiB")
before = memory()
for ahead in (0, 2, 8):
    print(f"at most {ahead} steps ahead: {most_memory(ahead):4.0f} MiB")

# %% prefetch
from concurrent.futures import ThreadPoolExecutor


def prefetch(batches, ahead=2):
    """Yield the batches; a thread prepares the next ones meanwhile."""
    batches = map(jax.device_put, batches)
    with ThreadPoolExecutor(max_workers=1) as thread:
        pending = deque(
            thread.submit(next, batches, None) for _ in range(ahead))
        while (batch := pending.popleft().result()) is not None:
            pending.append(thread.submit(next, batches, None))
            yield batch


# %% input
from measure import compare


def read():
    time.sleep(0.01)  # stands for a disk
    return np.full((256, 512), 0.5, "float32")


def batches(load):
    return (load() for _ in range(6))


w = jnp.ones((512, 512)) / 512


@jax.jit
def train(batch):
    for _ in range(6):
        batch = jnp.tanh(batch @ w)
    return batch.mean()


def logged(batches):
    return [float(train(batch)) for batch in batches]


compare(
    "input",
    in_turn=lambda: logged(batches(read)),
    without_a_barrier=lambda: wait(
        [train(batch) for batch in batches(read)]),
    with_loader=lambda: logged(prefetch(batches(read))),
)

# %% decoding
import zlib

frames = np.random.default_rng(0).integers(16, size=(2, 8, 256, 512))
halves = [zlib.compress(half.tobytes()) for half in frames.astype("uint8")]
threads = ThreadPoolExecutor(max_workers=2)


def decode(half):
    pixels = np.frombuffer(zlib.decompress(half), "uint8")
    return pixels.reshape(8, 256, 512).mean(0, dtype="float32")


def decoded(each=map):  # or the `map` of a pool of threads
    one, other = each(decode, halves)
    return (one + other) / 2 / 16  # between 0 and 1


compare(
    "decoding",
    in_turn=lambda: logged(batches(decoded)),
    two_threads_decode=lambda: logged(
        batches(lambda: decoded(threads.map))),
    with_loader=lambda: logged(prefetch(batches(decoded))),
)
