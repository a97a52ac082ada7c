# /// polytab
# measures = true
# timeout = 600
# ///

# %% settings
import os

# These are read when PaddlePaddle is imported.
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"

import paddle

print(paddle.get_flags(["FLAGS_paddle_num_threads"]))

# %% product
from processes import compare_processes


def products(rows, times):
    import paddle

    device = paddle.device.get_device()
    a = paddle.full((rows, rows), 1 / rows)

    def run():
        y = a
        for _ in range(times):
            y = y @ a
        if device != "cpu":  # A call returns before its work is done.
            paddle.device.synchronize()
        return y
    return run


def threads(number, **flags):
    return {"OMP_NUM_THREADS": number, "MKL_NUM_THREADS": number, **flags}


compare_processes("product", {
    "large on one thread": (products, threads("1"), 1000, 1),
    "large on two threads": (products, threads("2"), 1000, 1),
    "small on one thread": (products, threads("1"), 100, 1000),
    "small on two threads": (products, threads("2"), 100, 1000)},
    threads="how many there are is compared")


# %% branches
def branches(width, depth):
    import numpy as np
    import paddle
    from paddle import static

    paddle.enable_static()
    main, start = static.Program(), static.Program()
    with static.program_guard(main, start):
        x = static.data("x", (width, width))
        results = []
        for _ in range(2):
            y = x
            for _ in range(depth):
                y = paddle.tanh(static.nn.fc(y, width))
            results.append(y)
    executor = static.Executor()
    executor.run(start)
    feed = {"x": np.ones((width, width), "float32")}
    return lambda: executor.run(main, feed=feed, fetch_list=results)


# %% branches-time
serial = {"FLAGS_new_executor_serial_run": "1"}
wide = 512, 8
compare_processes("branches", {
    "one core": (branches, threads("1", **serial), *wide),
    "divided": (branches, threads("2", **serial), *wide),
    "at once": (branches, threads("1"), *wide),
    "both": (branches, threads("2"), *wide)},
    threads="one core is compared with two, used in three ways")

# %% small-branches
narrow = 64, 64
compare_processes("small-branches", {
    "one core": (branches, threads("1", **serial), *narrow),
    "divided": (branches, threads("2", **serial), *narrow),
    "at once": (branches, threads("1"), *narrow)},
    threads="one core is compared with two, used in two ways")

# %% devices
print(paddle.device.get_device(), paddle.CPUPlace())

# %% train-file
train = '''\
import json
import sys
import time
from contextlib import nullcontext

import paddle
import paddle.distributed as dist
from paddle import nn

device = paddle.device.get_device()


def train():
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    paddle.seed(0)  # in each process the same network and the same data
    net = nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 1))
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    shared = paddle.DataParallel(net) if size > 1 else net

    def step(x, y):
        nn.functional.mse_loss(shared(x), y).backward()
        optimizer.step()
        optimizer.clear_grad()

    def part(examples):
        x, y = paddle.randn((examples, 256)), paddle.randn((examples, 1))
        return x.chunk(size)[rank], y.chunk(size)[rank]

    def times(examples):
        x, y = part(examples)
        ways = {"averaged": nullcontext}
        if size > 1:
            ways["apart"] = shared.no_sync
        samples = {name: [] for name in ways}
        for turn in range(21):
            for name, way in ways.items():
                if size > 1:
                    dist.barrier()  # The processes begin together.
                start = time.perf_counter()
                with way():
                    for _ in range(4):
                        step(x, y)
                if device != "cpu":  # A call returns before its work is done.
                    paddle.device.synchronize()
                samples[name].append((time.perf_counter() - start) / 4)
        return {name: each[1:] for name, each in samples.items()}

    step(*part(1024))
    if rank == 0:
        paddle.save(net.state_dict(), f"{size}.pdparams")
    found = {examples: times(examples) for examples in (64, 2048)}
    if rank == 0:
        with open(f"{size}.json", "w") as file:
            json.dump(found, file)


if __name__ == "__main__":
    if sys.argv[1] == "1":
        train()
    else:
        dist.spawn(train, nprocs=int(sys.argv[1]), backend="gloo")
'''
with open("train.py", "w") as file:
    file.write(train)

# %% data-parallel
import json
import subprocess
import sys
from pathlib import Path


def launch(file, processes):
    return subprocess.run(
        [sys.executable, file, str(processes)], check=True, text=True,
        env={**os.environ, **threads(str(max(1, 2 // processes)))},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


launch("train.py", 1)
launch("train.py", 2)
alone, shared = paddle.load("1.pdparams"), paddle.load("2.pdparams")
print("same weights:", all(bool(paddle.allclose(alone[name], shared[name],
                                                atol=1e-6))
                           for name in alone))

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
import sys

import paddle
import paddle.distributed as dist


def work():
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    paddle.seed(0)  # in each process the same numbers
    x = paddle.randn((64, 256))
    hidden = paddle.randn((256, 512)) / 16
    out = paddle.randn((512, 10)) / 16

    columns = hidden.chunk(size, axis=1)[rank]
    rows = out.chunk(size, axis=0)[rank]
    y = paddle.tanh(x @ columns) @ rows
    dist.all_reduce(y)  # adds up what the processes have

    if rank == 0:
        whole = paddle.tanh(x @ hidden) @ out
        with open("layer.txt", "w") as file:
            print("of the weights:", columns.shape, rows.shape, file=file)
            print("same result:", bool(paddle.allclose(y, whole, atol=1e-4)),
                  file=file)


if __name__ == "__main__":
    dist.spawn(work, nprocs=int(sys.argv[1]), backend="gloo")
'''
with open("layer.py", "w") as file:
    file.write(layer)
launch("layer.py", 2)
print(Path("layer.txt").read_text())


# %% copy
def overlap(kind):
    from concurrent.futures import ThreadPoolExecutor

    import paddle

    device = paddle.device.get_device()
    a = paddle.full((600, 600), 1 / 600)
    source = paddle.ones((4000, 4000))
    buffer = paddle.empty((4000, 4000))
    pool = ThreadPoolExecutor(1)

    def compute():
        y = a
        for _ in range(3):
            y = paddle.tanh(y @ a)
        return y

    def run():
        if kind == "at once":
            copied = pool.submit(paddle.assign, source, buffer)
            y = compute()
            copied.result()
        else:
            y = paddle.assign(source, buffer)
            if kind == "in turn":
                y = compute()
        if device != "cpu":
            paddle.device.synchronize()
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
    paddle.device.synchronize()


def compare_streams():
    a = paddle.rand((4000, 4000))
    source = paddle.rand((4000, 4000)).pin_memory()
    copies = paddle.device.Stream()

    def in_turn():
        return a @ a, source.cuda(blocking=False)

    def at_once():
        with paddle.device.stream_guard(copies):
            copy = source.cuda(blocking=False)
        return a @ a, copy

    return compare("streams", in_turn=in_turn, at_once=at_once, wait=ready)


if paddle.device.is_compiled_with_cuda():
    result = compare_streams()
else:
    result = "no GPU here, so no streams"
result
