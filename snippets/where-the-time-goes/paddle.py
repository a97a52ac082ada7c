# /// polytab
# measures = true
# timeout = 600
# ///

# %% step
import paddle
from paddle.nn import functional as F

from decoder import HEADS, MODELS, initial_weights, some_tokens

device = paddle.device.get_device()


def norm(x):
    return F.layer_norm(x, x.shape[-1:])


def attention(x, w, layer):
    heads = (x @ w[f"attention {layer}"]).reshape(
        [*x.shape[:2], 3, HEADS, -1])
    query, key, value = heads.unbind(2)
    mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return mixed.flatten(2) @ w[f"mix {layer}"]


def predict(tokens, w, layers):
    x = F.embedding(tokens, w["embedding"]) + w["position"]
    for layer in range(layers):
        x = x + attention(norm(x), w, layer)
        x = x + F.relu(norm(x) @ w[f"up {layer}"]) @ w[f"down {layer}"]
    return norm(x) @ w["classes"]


def training(sizes):
    """Return a function that trains a model by one step."""
    w = {name: paddle.create_parameter(
            values.shape, "float32",
            default_initializer=paddle.nn.initializer.Assign(values))
         for name, values in initial_weights(sizes).items()}
    optimiser = paddle.optimizer.SGD(0.1, parameters=list(w.values()))

    def step(tokens):
        logits = predict(tokens[:, :-1], w, sizes.layers)
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimiser.step()
        optimiser.clear_grad()
        return loss.detach()

    return step

# %% losses
def to_device(tokens):
    return paddle.to_tensor(tokens)


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


sizes = MODELS["input"]
step, batch = training(sizes), to_device(some_tokens(sizes))
print(*[f"{step(batch).item():.3f}" for _ in range(5)])

# %% documents
import zlib

import numpy

document = " ".join(f"word{number % 997}" for number in range(40_000))


def read_documents(sizes):
    """Split a document for each example, to keep its first words."""
    lines = [document.split()[:sizes.length + 1] for _ in range(sizes.batch)]
    return numpy.array([[zlib.crc32(word.encode()) % sizes.classes
                         for word in line] for line in lines])

# %% input
from measure import compare


def constant(sizes):
    """Return a function that trains on one batch again and again."""
    step, batch = training(sizes), to_device(some_tokens(sizes))
    return lambda: step(batch)


def loaded(sizes, load=read_documents):
    """Return a function that loads a batch and trains on it."""
    step = training(sizes)
    return lambda: step(to_device(load(sizes)))


def changed(sizes, run):
    """Return a model as it is, and as two experiments change it."""
    return {"as it is": run(sizes),
            "batch doubled": run(sizes.with_twice_the_batch()),
            "width halved": run(sizes.with_half_the_width())}


sizes = MODELS["input"]
compare("input", {**changed(sizes, loaded), "constant batch": constant(sizes)},
        wait=ready)

# %% waits
def losses(sizes, steps=10):
    step, batch = training(sizes), to_device(some_tokens(sizes))

    def at_the_end():
        pending = [step(batch) for _ in range(steps)]
        return [loss.item() for loss in pending]

    return {"each step": lambda: [step(batch).item() for _ in range(steps)],
            "at the end": at_the_end}


compare("waits", losses(MODELS["overhead"]), wait=ready)

# %% counts
from decoder import operations, traffic

print("              batch doubled     width halved")
for name, sizes in MODELS.items():
    twice, half = sizes.with_twice_the_batch(), sizes.with_half_the_width()
    print(f"{name:12}", *(
        f"{count(other) / count(sizes):8.2f}"
        for other in (twice, half) for count in (operations, traffic)))

# %% limits
from decoder import lengths_of_additions, shapes_of_products


def its_products(sizes):
    """Return as much arithmetic as a step has, in large products."""
    width, rows = shapes_of_products(operations(sizes))
    factors = [paddle.ones([each, width]) for each in rows]
    square = paddle.ones([width, width])
    return lambda: [each @ square for each in factors]


def its_bytes(sizes):
    """Return as many bytes as a step moves, in additions in place."""
    length, times = lengths_of_additions(traffic(sizes))
    a, b = paddle.zeros([length]), paddle.ones([length])
    return lambda: [a.add_(b) for _ in range(times)]

# %% products
def experiments(name):
    sizes = MODELS[name]
    return compare(name, {**changed(sizes, constant),
                          "its products": its_products(sizes),
                          "its bytes": its_bytes(sizes)}, wait=ready)


experiments("products")

# %% weights
experiments("weights")

# %% activations
experiments("activations")

# %% overhead
experiments("overhead")

# %% trace
import json
from pathlib import Path

from paddle import profiler

from measure import taken
from traces import Timeline, parts


def profile(then):
    return profiler.Profiler(
        targets=[profiler.ProfilerTarget.CPU], on_trace_ready=then)


def traced(model, steps):
    """Return when each step of a trace began and ended, and each operator."""
    run = constant(MODELS[model])
    ready(run())
    with profile(profiler.export_chrome_tracing("trace")):
        for _ in range(steps):
            with profiler.RecordEvent("a step"):
                ready(run())
    newest = max(Path("trace").glob("*.json"),
                 key=lambda file: file.stat().st_mtime)
    events = [
        (each["name"].partition("[")[0], each["cat"],
         *(float(each["args"][time].split()[0]) / 1e6
           for time in ("start_time", "end_time")))
        for each in json.loads(newest.read_text())["traceEvents"]
        if each.get("ph") == "X"]
    return ([event[2:] for event in events if event[0] == "a step"],
            [(name, start, end) for name, kind, start, end in events
             if kind == "DygraphKernelLaunch"])


small = traced("overhead", 20)
taken("small trace", **parts(*small))

# %% large-trace
large = traced("products", 8)
taken("large trace", **parts(*large))

# %% timeline varies="shares" why="no two steps take the same time"
Timeline(overhead=small, products=large)

# %% price
import time


def seconds(run, calls):
    start = time.perf_counter()
    for _ in range(calls):
        ready(run())
    return (time.perf_counter() - start) / calls


def profiled(run, calls):
    with profile(lambda trace: None):  # Nothing is written to disk.
        return seconds(run, calls)


def with_and_without(name, model, calls):
    run = constant(MODELS[model])
    seconds(run, calls)
    rows = [(seconds(run, calls), profiled(run, calls)) for _ in range(10)]
    plain, slowed = zip(*rows)
    return {name: plain, f"{name}, profiled": slowed}


taken("price", **with_and_without("small", "overhead", 20),
      **with_and_without("large", "products", 1))

# %% three-models
from decoder import Sizes


def slow_disk(sizes):
    time.sleep(0.02)
    return some_tokens(sizes)


deep = Sizes(batch=1, length=4, width=16, layers=6, classes=16)
quick = MODELS["overhead"]
wide = Sizes(batch=1, length=2, width=1280, layers=1, classes=32)


def questions(sizes, run=constant):
    return {**changed(sizes, run), "constant batch": constant(sizes)}

# %% first
compare("first", questions(deep), wait=ready)

# %% second
compare("second", questions(quick, lambda sizes: loaded(sizes, slow_disk)),
        wait=ready)

# %% third
compare("third", questions(wide), wait=ready)
