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
from mxnet import np, npx

npx.set_np()

# %% product
from processes import compare_processes


def products(rows, times):
    from mxnet import np, npx

    npx.set_np()
    a = np.full((rows, rows), 1 / rows)

    def run():
        y = a
        for _ in range(times):
            y = np.dot(y, a)
        y.wait_to_read()
    return run


def threads(inside, between="1"):
    return {"OMP_NUM_THREADS": inside,
            "MXNET_CPU_WORKER_NTHREADS": between,
            "MXNET_CPU_TEMP_COPY": "64"}


compare_processes("product", {
    "large on one thread": (products, threads("1"), 1000, 1),
    "large on two threads": (products, threads("2"), 1000, 1),
    "small on one thread": (products, threads("1"), 100, 1000),
    "small on two threads": (products, threads("2"), 100, 1000)},
    threads="how many there are is compared")


# %% branches
def branches(width, depth):
    from mxnet import np, npx

    npx.set_np()
    x = np.random.normal(size=(width, width))
    weights = [[np.random.normal(size=(width, width)) / width ** 0.5
                for _ in range(depth)] for _ in range(2)]

    def branch(x, weights):
        for weight in weights:
            x = np.tanh(np.dot(x, weight))
        return x

    def run():
        for result in [branch(x, each) for each in weights]:
            result.wait_to_read()
    return run


# %% branches-time
wide = 512, 8
few = {**threads("1", "2"), "MXNET_CPU_TEMP_COPY": "4"}
compare_processes("branches", {
    "one core": (branches, threads("1", "1"), *wide),
    "divided": (branches, threads("2", "1"), *wide),
    "at once": (branches, threads("1", "2"), *wide),
    "four workspaces": (branches, few, *wide)},
    threads="one core is compared with two, used in two ways")

# %% small-branches
narrow = 64, 64
compare_processes("small-branches", {
    "one core": (branches, threads("1", "1"), *narrow),
    "divided": (branches, threads("2", "1"), *narrow),
    "at once": (branches, threads("1", "2"), *narrow)},
    threads="one core is compared with two, used in two ways")

# %% devices
a = np.ones((2, 2), ctx=mx.cpu(0))
b = a.copyto(mx.cpu(1))
print(a.ctx, b.ctx, np.dot(b, b).ctx)


# %% data-parallel
def training(number, examples, kvstore="device"):
    import mxnet as mx
    from mxnet import autograd, gluon, np, npx
    from mxnet.gluon import nn

    npx.set_np()
    devices = [mx.cpu(each) for each in range(number)]
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dense(512, activation="tanh", in_units=256),
            nn.Dense(1, in_units=512))
    net.initialize(mx.init.Normal(0.05), ctx=devices)
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd",
                            {"learning_rate": 0.1}, kvstore=kvstore)
    square = gluon.loss.L2Loss()
    x = np.random.normal(size=(examples, 256))
    y = np.random.normal(size=(examples, 1))
    xs = gluon.utils.split_and_load(x, devices)
    ys = gluon.utils.split_and_load(y, devices)

    def step():
        with autograd.record():
            losses = [square(net(x), y) for x, y in zip(xs, ys)]
        for each in losses:
            each.backward()
        trainer.step(len(x))
        npx.waitall()

    step.weight = net[0].weight
    return step


one_device, two_devices = training(1, 1024), training(2, 1024)
one_device()
two_devices()
alone, shared = one_device.weight, two_devices.weight
far = abs(alone.data() - shared.data(mx.cpu(0))).max()
print("same weights:", bool(far < 1e-6))
print("copies of a parameter:", [each.ctx for each in shared.list_data()])

# %% step
uses = "one device divides its operators, two have a thread each"
compare_processes("step", {
    "one device": (training, threads("2"), 1, 2048),
    "two devices": (training, threads("1"), 2, 2048),
    "not averaged": (training, threads("1"), 2, 2048, None)}, threads=uses)

# %% small-step
compare_processes("small-step", {
    "one device": (training, threads("2"), 1, 64),
    "two devices": (training, threads("1"), 2, 64),
    "not averaged": (training, threads("1"), 2, 64, None)}, threads=uses)

# %% layer
devices = [mx.cpu(0), mx.cpu(1)]
x = np.random.normal(size=(64, 256))
hidden = np.random.normal(size=(256, 512)) / 16
out = np.random.normal(size=(512, 10)) / 16

sums = []
for device, columns, rows in zip(
        devices, np.split(hidden, 2, axis=1), np.split(out, 2, axis=0)):
    print("of the weights:", columns.shape, rows.shape, "on", device)
    own = np.tanh(np.dot(x.as_in_ctx(device), columns.as_in_ctx(device)))
    sums.append(np.dot(own, rows.as_in_ctx(device)))
y = sums[0] + sums[1].as_in_ctx(devices[0])
far = abs(y - np.dot(np.tanh(np.dot(x, hidden)), out)).max()
print("same result:", bool(far < 1e-4))


# %% copy
def overlap(kind):
    import mxnet as mx
    from mxnet import np, npx

    npx.set_np()
    a = np.full((600, 600), 1 / 600, ctx=mx.cpu(0))
    source = np.ones((4000, 4000), ctx=mx.cpu(1))
    buffer = np.empty((4000, 4000), ctx=mx.cpu(0))

    def run():
        source.copyto(buffer)
        if kind != "at once":
            buffer.wait_to_read()
        if kind == "copy":
            return
        y = a
        for _ in range(3):
            y = np.tanh(np.dot(y, a))
        npx.waitall()
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
print(mx.context.num_gpus(), "GPUs,",
      "built with CUDA:", mx.runtime.Features().is_enabled("CUDA"))
