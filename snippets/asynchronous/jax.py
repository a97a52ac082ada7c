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
    returned = time.perf_counter() - start
    wait(result)
    return {"finished": time.perf_counter() - start, "returned": returned}


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

# %% steps
from measure import compare

x = jnp.ones((size // 10, size // 10))


@jax.jit
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
    wait(a)
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
from collections import deque

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
def load(number):
    """Make a batch, after a wait that stands for a disk."""
    time.sleep(0.01)
    return np.full((256, 512), number / 6, "float32")


def batches():
    return (load(number) for number in range(6))


w = jnp.ones((512, 512)) / 512


@jax.jit
def train(batch):
    for _ in range(6):
        batch = jnp.tanh(batch @ w)
    return batch.mean()


compare(
    "input",
    in_turn=lambda: [float(train(batch)) for batch in batches()],
    without_a_barrier=lambda: wait([train(batch) for batch in batches()]),
    with_loader=lambda: [
        float(train(batch)) for batch in prefetch(batches())],
)
