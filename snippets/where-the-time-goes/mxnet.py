# /// polytab
# measures = true
# timeout = 600
# ///

# %% step
from functools import cache

import mxnet
from mxnet import autograd, np, npx

from decoder import HEADS, MODELS, initial_weights, some_tokens

npx.set_np()


@cache
def ones_and_zeros(width):
    return np.ones(width), np.zeros(width)


def norm(x):
    return npx.layer_norm(x, *ones_and_zeros(x.shape[-1]), eps=1e-5)


@cache
def later_tokens(length):
    return 1e9 * (1 - np.tril(np.ones((length, length))))


def attention(x, w, layer):
    batch, length, width = x.shape
    heads = np.dot(x, w[f"attention {layer}"]).reshape(
        batch, length, 3, HEADS, -1).transpose(2, 0, 3, 1, 4)
    query, key, value = heads.reshape(3, batch * HEADS, length, -1)
    scores = npx.batch_dot(query, key, transpose_b=True)
    shares = npx.softmax(
        scores / (width // HEADS) ** 0.5 - later_tokens(length))
    mixed = npx.batch_dot(shares, value).reshape(batch, HEADS, length, -1)
    return np.dot(mixed.transpose(0, 2, 1, 3).reshape(x.shape),
                  w[f"mix {layer}"])


def predict(tokens, w, layers):
    x = npx.embedding(tokens, w["embedding"], *w["embedding"].shape)
    x = x + w["position"]
    for layer in range(layers):
        x = x + attention(norm(x), w, layer)
        inner = npx.relu(np.dot(norm(x), w[f"up {layer}"]))
        x = x + np.dot(inner, w[f"down {layer}"])
    return np.dot(norm(x), w["classes"])


def training(sizes):
    """Return a function that trains a model by one step."""
    w = {name: np.array(values)
         for name, values in initial_weights(sizes).items()}
    for each in w.values():
        each.attach_grad()
    update = mxnet.optimizer.get_updater(
        mxnet.optimizer.SGD(learning_rate=0.1))

    def step(tokens):
        with autograd.record():
            logits = predict(tokens[:, :-1], w, sizes.layers)
            likely = npx.pick(npx.log_softmax(logits), tokens[:, 1:])
            loss = -likely.mean()
        loss.backward()
        for number, each in enumerate(w.values()):
            update(number, each.grad, each)
        return loss

    return step

# %% losses
def to_device(tokens):
    return np.array(tokens)


def ready(result):
    npx.waitall()


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
    factors = [np.ones((each, width)) for each in rows]
    square = np.ones((width, width))
    return lambda: [np.dot(each, square) for each in factors]


def its_bytes(sizes):
    """Return as many bytes as a step moves, in additions in place."""
    length, times = lengths_of_additions(traffic(sizes))
    a, b = np.zeros(length), np.ones(length)
    return lambda: [np.add(a, b, out=a) for _ in range(times)]

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

from mxnet import profiler

from measure import taken
from traces import Timeline, parts

profiler.set_config(profile_imperative=True, filename="trace.json")
book = profiler.Domain("book")


def trace(name, model, steps):
    run = constant(MODELS[model])
    ready(run())
    profiler.set_state("run")
    for _ in range(steps):
        frame = book.new_frame(name)
        frame.start()
        ready(run())
        frame.stop()
    profiler.set_state("stop")


trace("small step", "overhead", 20)
trace("large step", "products", 8)
profiler.dump()
events = json.loads(Path("trace.json").read_text())["traceEvents"]


def traced(name):
    """Return when each step of a trace began and ended, and each operator."""
    began, steps, operators = {}, [], []
    for each in events:
        key, at = (each["name"], each.get("tid")), each.get("ts", 0) / 1e6
        if each["ph"] in "B(":
            began[key] = at
        elif each["ph"] == ")" and each["name"] == name:
            steps.append((began[key], at))
        elif each["ph"] == "E" and each["cat"] == "operator":
            operators.append((each["name"], began[key], at))
    return steps, operators


small = traced("small step")
taken("small trace", **parts(*small))

# %% large-trace
large = traced("large step")
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
    profiler.set_state("run")
    took = seconds(run, calls)
    profiler.set_state("stop")
    return took


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
