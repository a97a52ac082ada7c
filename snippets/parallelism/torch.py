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


def products(rows, times):
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.full((rows, rows), 1 / rows, device=device)

    def run():
        y = a
        for _ in range(times):
            y = y @ a
        if device == "cuda":  # A call returns before its work is done.
            torch.cuda.synchronize()
        return y
    return run


def threads(number):
    return {"OMP_NUM_THREADS": number, "MKL_NUM_THREADS": number}


compare_processes("product", {
    "large on one thread": (products, threads("1"), 1000, 1),
    "large on two threads": (products, threads("2"), 1000, 1),
    "small on one thread": (products, threads("1"), 100, 1000),
    "small on two threads": (products, threads("2"), 100, 1000)},
    threads="how many there are is compared")


# %% branches
def branches(kind, width, depth):
    from concurrent.futures import ThreadPoolExecutor

    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(0)
    x = torch.randn(width, width, device=device)
    weights = [[torch.randn(width, width, device=device) / width ** 0.5
                for _ in range(depth)] for _ in range(2)]
    pool = ThreadPoolExecutor(2)

    def branch(x, weights):
        for weight in weights:
            x = torch.tanh(x @ weight)
        return x

    def run():
        if kind == "at once":
            results = list(pool.map(branch, [x, x], weights))
        else:
            results = [branch(x, each) for each in weights]
        if device == "cuda":
            torch.cuda.synchronize()
        return results
    return run


# %% branches-time
wide = 512, 8
compare_processes("branches", {
    "one core": (branches, threads("1"), "in turn", *wide),
    "divided": (branches, threads("2"), "in turn", *wide),
    "at once": (branches, threads("1"), "at once", *wide),
    "both": (branches, threads("2"), "at once", *wide)},
    threads="one core is compared with two, used in three ways")

# %% small-branches
narrow = 64, 64
compare_processes("small-branches", {
    "one core": (branches, threads("1"), "in turn", *narrow),
    "divided": (branches, threads("2"), "in turn", *narrow),
    "at once": (branches, threads("1"), "at once", *narrow)},
    threads="one core is compared with two, used in two ways")

# %% devices
print(torch.device("cpu:0"), torch.device("cpu:1"))
print(torch.ones(1, device="cpu:1").device)

# %% train-file
train = '''\
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

device = "cuda" if torch.cuda.is_available() else "cpu"
dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
if device == "cuda":  # each process has a GPU of its own, if there are as many
    torch.cuda.set_device(rank % torch.cuda.device_count())
torch.manual_seed(0)  # in each process the same network and the same data
net = nn.Sequential(
    nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 1)).to(device)
if size > 1:
    net = DistributedDataParallel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def step(x, y):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()


def part(examples):
    x = torch.randn(examples, 256, device=device)
    y = torch.randn(examples, 1, device=device)
    return x.chunk(size)[rank], y.chunk(size)[rank]


step(*part(1024))
if rank == 0:
    torch.save([each.detach() for each in net.parameters()], f"{size}.pt")
'''
with open("train.py", "w") as file:
    file.write(train)

# %% times-file
times = '''
import json
import time
from contextlib import nullcontext


def times(examples):
    x, y = part(examples)
    ways = {"averaged": nullcontext}
    if size > 1:
        ways["apart"] = net.no_sync  # leaves the all-reduce out
    samples = {name: [] for name in ways}
    for turn in range(21):
        for name, way in ways.items():
            dist.barrier()  # The processes begin together.
            start = time.perf_counter()
            with way():
                for _ in range(4):
                    step(x, y)
            if device == "cuda":  # A call returns before its work is done.
                torch.cuda.synchronize()
            samples[name].append((time.perf_counter() - start) / 4)
    return {name: each[1:] for name, each in samples.items()}


found = {examples: times(examples) for examples in (64, 2048)}
if rank == 0:
    with open(f"{size}.json", "w") as file:
        json.dump(found, file)
dist.barrier()  # or one may end while it still has work for the other
dist.destroy_process_group()
'''
with open("train.py", "a") as file:
    file.write(times)

# %% data-parallel
import json
import os
import subprocess
import sys
from pathlib import Path


def launch(file, processes):
    return subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone",
         f"--nproc-per-node={processes}", file], check=True, text=True,
        env={**os.environ, **threads(str(max(1, 2 // processes)))},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


launch("train.py", 1)
launch("train.py", 2)
alone, shared = torch.load("1.pt"), torch.load("2.pt")
print("same weights:", all(torch.allclose(a, b, atol=1e-6)
                           for a, b in zip(alone, shared)))

# %% step
from measure import taken

one, two = [json.loads(Path(name).read_text())
            for name in ("1.json", "2.json")]


def show(name, examples):
    return taken(name, calls=4, **{
        "one device": one[examples]["averaged"],
        "two devices": two[examples]["averaged"],
        "not averaged": two[examples]["apart"]})


show("step", "2048")

# %% small-step
show("small-step", "64")

# %% layer
layer = '''\
import torch
import torch.distributed as dist

device = "cuda" if torch.cuda.is_available() else "cpu"
dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)  # in each process the same numbers
x = torch.randn(64, 256, device=device)
hidden = torch.randn(256, 512, device=device) / 16
out = torch.randn(512, 10, device=device) / 16

columns = hidden.chunk(size, dim=1)[rank]
rows = out.chunk(size, dim=0)[rank]
y = torch.tanh(x @ columns) @ rows
dist.all_reduce(y)  # adds up what the processes have

if rank == 0:
    whole = torch.tanh(x @ hidden) @ out
    print("of the weights:", list(columns.shape), list(rows.shape))
    print("same result:", torch.allclose(y, whole, atol=1e-4))
dist.barrier()
dist.destroy_process_group()
'''
with open("layer.py", "w") as file:
    file.write(layer)
print(launch("layer.py", 2))


# %% copy
def overlap(kind):
    from concurrent.futures import ThreadPoolExecutor

    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.full((600, 600), 1 / 600, device=device)
    source = torch.ones(4000, 4000, device=device)
    buffer = torch.empty(4000, 4000, device=device)
    pool = ThreadPoolExecutor(1)

    def compute():
        y = a
        for _ in range(3):
            y = torch.tanh(y @ a)
        return y

    def run():
        if kind == "at once":
            copied = pool.submit(buffer.copy_, source)
            y = compute()
            copied.result()
        else:
            y = buffer.copy_(source)
            if kind == "in turn":
                y = compute()
        if device == "cuda":
            torch.cuda.synchronize()
        return y
    return run


# %% overlap
compare_processes("overlap", {
    "copy on one core": (overlap, threads("1"), "copy"),
    "copy on two cores": (overlap, threads("2"), "copy"),
    "one core": (overlap, threads("1"), "in turn"),
    "in turn": (overlap, threads("2"), "in turn"),
    "at once": (overlap, threads("2"), "at once")},
    threads="one core is compared with two")

# %% streams
from measure import compare


def ready(result):
    torch.cuda.synchronize()


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
