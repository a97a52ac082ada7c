# /// polytab
# measures = true
# ///

# %% work
import time

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
size = 800 if device == "cpu" else 8000
a = torch.ones(size, size, device=device)


def work(a):
    for _ in range(4):
        a = torch.tanh(a @ a)
    return a


def wait(result=None):
    if device == "cuda":
        torch.cuda.synchronize()


result = work(a)
wait()
print(result.shape, "on", device)

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

# %% thread
from concurrent.futures import ThreadPoolExecutor

back_end = ThreadPoolExecutor(max_workers=1)


def timed_in_thread():
    start = time.perf_counter()
    future = back_end.submit(work, a)
    returned = time.perf_counter()
    future.result()[0, 0].item()
    end = time.perf_counter()
    return {"finished": end - start, "returned": returned - start,
            "left to wait": end - returned}


comparison("handed to a thread", timed_in_thread)

# %% training
def training(batch):
    net = torch.nn.Linear(256, 256).to(device)
    x = torch.randn(batch, 256, device=device)
    optimiser = torch.optim.SGD(net.parameters(), 0.01)

    def step():
        loss = torch.tanh(net(x)).square().mean()
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        return loss.detach()

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


sweep("steps", "batch size", [8, 512], loops, wait=wait)

# %% lines
def line_by_line(barrier):
    wait()
    start = time.perf_counter()
    product = work(a)
    if barrier:
        wait()
    middle = time.perf_counter()
    product.sum().item()
    end = time.perf_counter()
    return middle - start, end - middle


def lines():
    product, total = line_by_line(barrier=False)
    again, alone = line_by_line(barrier=True)
    start = time.perf_counter()
    future = back_end.submit(work, a)
    middle = time.perf_counter()
    future.result().sum().item()
    end = time.perf_counter()
    return {"product": product, "sum": total,
            "product, barrier": again, "sum, barrier": alone,
            "product, thread": middle - start, "sum, thread": end - middle}


comparison("lines", lines)

# %% late raises="IndexError"
def lookup(table, index):
    return table[index]


# A GPU could not be used any more after such an error.
table = torch.arange(3, device="cpu")
index = torch.tensor([7], device="cpu")
value = back_end.submit(lookup, table, index)
print("returned")
print("the value is", value.result())

# %% in-flight varies="memory" why="depends on how far Python gets ahead"
import numpy as np
import psutil


def keep_busy():
    for _ in range(20):
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
        batch = torch.from_numpy(host + number)
        pending.append(back_end.submit(consume, batch))
        if len(pending) > ahead:
            pending.popleft().result()
        most = max(most, memory() - before)
    for each in pending:
        each.result()
    return most


host = np.ones((20_000, 512), "float32")
consume(torch.from_numpy(host))
print(f"all batches together:  {8 * host.nbytes / 2**20:4.0f} MiB")
before = memory()
for ahead in (0, 2, 8):
    print(f"at most {ahead} steps ahead: {most_memory(ahead):4.0f} MiB")

# %% input
from torch.utils.data import DataLoader, Dataset

from measure import compare


class Records(Dataset):
    def __init__(self, load):
        self.load = load

    def __len__(self):
        return 6

    def __getitem__(self, number):
        return torch.from_numpy(self.load())


def read():
    time.sleep(0.01)  # stands for a disk
    return np.full((256, 512), 0.5, "float32")


w = torch.ones(512, 512, device=device) / 512


def train(batch):
    batch = batch.to(device, non_blocking=True)
    for _ in range(6):
        batch = torch.tanh(batch @ w)
    return batch.mean()


def loader(load, **options):
    # A record is a batch already.
    return DataLoader(Records(load), batch_size=None,
                      pin_memory=device == "cuda", **options)


def logged(batches):
    return [train(batch).item() for batch in batches]


direct = loader(read)
ahead = loader(read, num_workers=1, prefetch_factor=2,
               persistent_workers=True)
compare(
    "input",
    in_turn=lambda: logged(direct),
    without_a_barrier=lambda: wait([train(batch) for batch in direct]),
    with_loader=lambda: logged(ahead),
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


direct = loader(decoded)
divided = loader(lambda: decoded(threads.map))
ahead = loader(decoded, num_workers=1, prefetch_factor=2,
               persistent_workers=True)
compare(
    "decoding",
    in_turn=lambda: logged(direct),
    two_threads_decode=lambda: logged(divided),
    with_loader=lambda: logged(ahead),
)
