# /// polytab
# measures = true
# timeout = 600
# ///

# %% settings
import torch

# Between operators: once, and before the first work is given out.
torch.set_num_interop_threads(2)
print("between operators:", torch.get_num_interop_threads())
# Inside an operator: at any time.
for threads in (1, 2):
    torch.set_num_threads(threads)
    print("inside an operator:", torch.get_num_threads())

# %% product
from processes import compare_processes


def product():
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.rand(1000, 1000, device=device)

    def run():
        result = a @ a
        if device == "cuda":  # A call returns before its work is done.
            torch.cuda.synchronize()
        return result
    return run


def threads(number):
    return {"OMP_NUM_THREADS": number, "MKL_NUM_THREADS": number,
            "MKL_DYNAMIC": "FALSE"}


compare_processes("product", {
    "one thread": (product, threads("1")),
    "two threads": (product, threads("2")),
    "eight threads": (product, threads("8"))},
    threads="how many there are is compared")


# %% small
def small():
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.rand(16, 16, device=device)

    def run():
        y = a
        for _ in range(1000):
            y = torch.tanh(y)
        if device == "cuda":
            torch.cuda.synchronize()
        return y
    return run


compare_processes("small", {
    "one thread": (small, threads("1")),
    "two threads": (small, threads("2"))},
    threads="how many there are is compared")

# %% branches
def branches(kind):
    from concurrent.futures import ThreadPoolExecutor

    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    x = torch.randn(256, 256, device=device)
    weights = [[torch.randn(256, 256, device=device) / 16 for _ in range(8)]
               for _ in range(2)]

    def branch(x, weights: list[torch.Tensor]):
        for weight in weights:
            x = torch.tanh(x @ weight)
        return x

    # Each thread has a number of its own for the operators that it calls.
    pool = ThreadPoolExecutor(
        2, initializer=torch.set_num_threads, initargs=(1,))
    script = torch.jit.script(branch)

    @torch.jit.script
    def fork(x, left: list[torch.Tensor], right: list[torch.Tensor]):
        future = torch.jit.fork(script, x, left)
        result = script(x, right)
        return torch.jit.wait(future), result

    runs = {
        "loop": lambda: [branch(x, each) for each in weights],
        "pool": lambda: list(pool.map(branch, [x, x], weights)),
        "fork": lambda: fork(x, *weights)}

    def run():
        results = runs[kind]()
        if device == "cuda":
            torch.cuda.synchronize()
        return results
    return run


loop, *others = [branches(kind)() for kind in ("loop", "pool", "fork")]
for results in others:
    print("same results:", all(map(torch.allclose, loop, results)))

# %% branches-time
compare_processes("branches", {
    "in turn": (branches, threads("1"), "loop"),
    "two threads inside": (branches, threads("2"), "loop"),
    "at once": (branches, threads("1"), "pool"),
    "jit.fork": (branches, threads("1"), "fork")},
    threads="both cores are used, in another way")

# %% devices
print(torch.device("cpu:0"), torch.device("cpu:1"))
print(torch.ones(1, device="cpu:1").device)

# %% train-file
train = '''\
import json
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)
dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(0)  # in each process the same network and the same data
x = torch.randn(1024, 256, device=device)
y = torch.randn(1024, 1, device=device)


def get_net():
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 1)).to(device)


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


def stepper(net, x, y):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def step():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
    return step


alone = get_net()
shared = DistributedDataParallel(get_net())
one = stepper(alone, x, y)
two = stepper(shared, x.chunk(size)[rank], y.chunk(size)[rank])
one()
two()

far = max((a - b).abs().max().item()
          for a, b in zip(alone.parameters(), shared.parameters()))
samples = {"one device": [], "two devices": []}
for turn in range(20):
    for name, step in (("one device", one), ("two devices", two)):
        dist.barrier()  # The other process waits, or takes part.
        start = time.perf_counter()
        if step is two or rank == 0:
            for _ in range(4):
                ready(step())
        samples[name].append((time.perf_counter() - start) / 4)
if rank == 0:
    with open("result.json", "w") as file:
        json.dump({"close": far < 1e-6, "samples": samples}, file)
dist.barrier()  # or one may end while it still has work for the other
dist.destroy_process_group()
'''
with open("train.py", "w") as file:
    file.write(train)

# %% data-parallel
import json
import subprocess
import sys
from pathlib import Path

from measure import taken

subprocess.run([sys.executable, "-m", "torch.distributed.run", "--standalone",
                "--nproc-per-node=2", "train.py"],
               check=True, capture_output=True)
result = json.loads(Path("result.json").read_text())
print("same weights:", result["close"])

# %% step
taken("step", calls=4, **result["samples"])

# %% copy
from concurrent.futures import ThreadPoolExecutor

from measure import compare

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.set_num_threads(1)
pool = ThreadPoolExecutor(1, initializer=torch.set_num_threads, initargs=(1,))
a = torch.rand(600, 600, device=device)
source = torch.rand(4000, 4000, device=device)


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


def compute():
    y = a
    for _ in range(3):
        y = torch.tanh(y @ a)
    return y


def fresh():
    buffer = torch.empty(4000, 4000, device=device)

    def in_turn():
        buffer.copy_(source)
        return compute()

    def at_once():
        copied = pool.submit(buffer.copy_, source)
        y = compute()
        copied.result()
        return y

    return in_turn, at_once


# %% cold
import time

first, second = [], []
kept = []  # so that no memory is given back and used again
for _ in range(3):
    in_turn, at_once = fresh()
    kept.append(in_turn)
    for times in (first, second):
        start = time.perf_counter()
        ready(in_turn())
        times.append(time.perf_counter() - start)

taken("cold", first=first, second=second)

# %% overlap
in_turn, at_once = fresh()
compare("overlap", in_turn=in_turn, at_once=at_once, wait=ready)


# %% streams
def compare_streams():
    a = torch.rand(4000, 4000, device="cuda")
    source = torch.rand(4000, 4000, device="cpu", pin_memory=True)
    buffer = torch.empty(4000, 4000, device="cuda")
    copies = torch.cuda.Stream()
    copies.wait_stream(torch.cuda.current_stream())  # buffer is there

    def in_turn():
        buffer.copy_(source, non_blocking=True)
        return a @ a

    def at_once():
        with torch.cuda.stream(copies):
            buffer.copy_(source, non_blocking=True)
        return a @ a

    return compare("streams", in_turn=in_turn, at_once=at_once, wait=ready)


if torch.cuda.is_available():
    result = compare_streams()
else:
    result = "no GPU here, so no streams"
result
