# /// polytab
# measures = true
# timeout = 600
# ///

# %% settings
import os

# These are read when MXNet is imported.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MXNET_CPU_WORKER_NTHREADS"] = "1"

import mxnet as mx
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import nn

npx.set_np()

# %% product
from processes import compare_processes


def product():
    from mxnet import np, npx

    npx.set_np()
    a = np.ones((1000, 1000))
    return lambda: np.dot(a, a).wait_to_read()


def threads(inside, between="1"):
    return {"OMP_NUM_THREADS": inside,
            "MXNET_CPU_WORKER_NTHREADS": between,
            "MXNET_CPU_TEMP_COPY": "64"}


compare_processes("product", {
    "one thread": (product, threads("1")),
    "two threads": (product, threads("2")),
    "eight threads": (product, threads("8"))},
    threads="how many there are is compared")


# %% small
def small():
    from mxnet import np, npx

    npx.set_np()
    a = np.ones((16, 16))

    def run():
        y = a
        for _ in range(1000):
            y = np.tanh(y)
        y.wait_to_read()
    return run


compare_processes("small", {
    "one thread": (small, threads("1")),
    "two threads": (small, threads("2"))},
    threads="how many there are is compared")


# %% branches
def branches():
    from mxnet import np, npx

    npx.set_np()
    x = np.random.normal(size=(256, 256))
    weights = [[np.random.normal(size=(256, 256)) / 16 for _ in range(8)]
               for _ in range(2)]

    def branch(x, weights):
        for weight in weights:
            x = np.tanh(np.dot(x, weight))
        return x

    def run():
        for result in [branch(x, each) for each in weights]:
            result.wait_to_read()
    return run


# %% branches-time
compare_processes("branches", {
    "in turn": (branches, threads("1", "1")),
    "two threads inside": (branches, threads("2", "1")),
    "at once": (branches, threads("1", "2"))},
    threads="both cores are used, in another way")

# %% devices
a = np.ones((2, 2), ctx=mx.cpu(0))
b = a.copyto(mx.cpu(1))
print(a.ctx, b.ctx, np.dot(b, b).ctx)

# %% data-parallel
from measure import compare

x = np.random.normal(size=(1024, 256))
y = np.random.normal(size=(1024, 1))


def get_net(devices):
    net = nn.HybridSequential()
    net.add(nn.Dense(512, activation="tanh", in_units=256),
            nn.Dense(1, in_units=512))
    mx.random.seed(1)
    net.initialize(mx.init.Normal(0.05), ctx=devices)
    net.hybridize()
    return net


def stepper(devices):
    net = get_net(devices)
    trainer = gluon.Trainer(net.collect_params(), "sgd",
                            {"learning_rate": 0.1})
    square = gluon.loss.L2Loss()
    xs = gluon.utils.split_and_load(x, devices)
    ys = gluon.utils.split_and_load(y, devices)

    def step():
        with autograd.record():
            losses = [square(net(x), y) for x, y in zip(xs, ys)]
        for each in losses:
            each.backward()
        trainer.step(len(x))
    return net, step


alone, one_device = stepper([mx.cpu(0)])
shared, two_devices = stepper([mx.cpu(0), mx.cpu(1)])
one_device()
two_devices()
weight = shared[0].weight
far = abs(alone[0].weight.data() - weight.data(mx.cpu(0))).max()
print("same weights:", bool(far < 1e-6))
print("copies of a parameter:", [each.ctx for each in weight.list_data()])

# %% step
compare("step", one_device=one_device, two_devices=two_devices,
        wait=lambda _: npx.waitall())

# %% copy
a = np.ones((600, 600), ctx=mx.cpu(0)) / 600
source = np.ones((4000, 4000), ctx=mx.cpu(1))


def compute():
    y = a
    for _ in range(3):
        y = np.tanh(np.dot(y, a))
    return y


def fresh():
    buffer = np.empty((4000, 4000), ctx=mx.cpu(0))

    def in_turn():
        source.copyto(buffer).wait_to_read()
        return compute()

    def at_once():
        source.copyto(buffer)
        return compute()

    return in_turn, at_once


npx.waitall()

# %% cold
import time

from measure import taken

first, second = [], []
kept = []  # so that no memory is given back and used again
for _ in range(3):
    in_turn, at_once = fresh()
    kept.append(in_turn)
    for times in (first, second):
        start = time.perf_counter()
        in_turn()
        npx.waitall()
        times.append(time.perf_counter() - start)

taken("cold", first=first, second=second)

# %% overlap
in_turn, at_once = fresh()
compare("overlap", in_turn=in_turn, at_once=at_once,
        wait=lambda _: npx.waitall())

# %% streams
print(mx.context.num_gpus(), "GPUs,",
      "built with CUDA:", mx.runtime.Features().is_enabled("CUDA"))
