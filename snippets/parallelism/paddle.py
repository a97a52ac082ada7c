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


def product():
    import paddle

    device = paddle.device.get_device()
    a = paddle.ones((1000, 1000))

    def run():
        result = a @ a
        if device != "cpu":  # A call returns before its work is done.
            paddle.device.synchronize()
        return result
    return run


def threads(number, **flags):
    return {"OMP_NUM_THREADS": number, "MKL_NUM_THREADS": number,
            "MKL_DYNAMIC": "FALSE", **flags}


compare_processes("product", {
    "one thread": (product, threads("1")),
    "two threads": (product, threads("2")),
    "eight threads": (product, threads("8"))},
    threads="how many there are is compared")


# %% small
def small():
    import paddle

    device = paddle.device.get_device()
    a = paddle.ones((16, 16))

    def run():
        y = a
        for _ in range(1000):
            y = paddle.tanh(y)
        if device != "cpu":
            paddle.device.synchronize()
        return y
    return run


compare_processes("small", {
    "one thread": (small, threads("1")),
    "two threads": (small, threads("2"))},
    threads="how many there are is compared")


# %% branches
def branches():
    import numpy as np
    import paddle
    from paddle import static

    paddle.enable_static()
    main, start = static.Program(), static.Program()
    with static.program_guard(main, start):
        x = static.data("x", (256, 256))
        results = []
        for _ in range(2):
            y = x
            for _ in range(8):
                y = paddle.tanh(static.nn.fc(y, 256))
            results.append(y)
    executor = static.Executor()
    executor.run(start)
    feed = {"x": np.ones((256, 256), "float32")}
    return lambda: executor.run(main, feed=feed, fetch_list=results)


# %% branches-time
serial = {"FLAGS_new_executor_serial_run": "1"}
compare_processes("branches", {
    "in turn": (branches, threads("1", **serial)),
    "two threads inside": (branches, threads("2", **serial)),
    "at once": (branches, threads("1"))},
    threads="both cores are used, in another way")

# %% devices
print(paddle.device.get_device(), paddle.CPUPlace())

# %% train-file
train = '''\
import json
import time

import paddle
import paddle.distributed as dist
from paddle import nn


device = paddle.device.get_device()


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


def get_net():
    paddle.seed(1)
    return nn.Sequential(nn.Linear(256, 512), nn.Tanh(), nn.Linear(512, 1))


def stepper(net, x, y):
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())

    def step():
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
    return step


def train():
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    paddle.seed(0)  # in each process the same network and the same data
    x, y = paddle.randn((1024, 256)), paddle.randn((1024, 1))
    alone, inner = get_net(), get_net()
    shared = paddle.DataParallel(inner)
    one = stepper(alone, x, y)
    two = stepper(shared, x.chunk(size)[rank], y.chunk(size)[rank])
    one()
    two()

    far = max((a - b).abs().max().item()
              for a, b in zip(alone.parameters(), inner.parameters()))
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


if __name__ == "__main__":
    dist.spawn(train, nprocs=2, backend="gloo")
'''
with open("train.py", "w") as file:
    file.write(train)

# %% data-parallel
import json
import subprocess
import sys
from pathlib import Path

from measure import taken

subprocess.run([sys.executable, "train.py"], check=True, capture_output=True)
result = json.loads(Path("result.json").read_text())
print("same weights:", result["close"])

# %% step
taken("step", calls=4, **result["samples"])

# %% copy
from concurrent.futures import ThreadPoolExecutor

from measure import compare

device = paddle.device.get_device()
a = paddle.ones((600, 600)) / 600
source = paddle.ones((4000, 4000))
pool = ThreadPoolExecutor(1)


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


def compute():
    y = a
    for _ in range(3):
        y = paddle.tanh(y @ a)
    return y


def fresh():
    buffer = paddle.empty((4000, 4000))

    def in_turn():
        paddle.assign(source, buffer)
        return compute()

    def at_once():
        copied = pool.submit(paddle.assign, source, buffer)
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
