# /// polytab
# measures = true
# timeout = 600
# ///

# %% step
from functools import partial

import jax
import jax.numpy as jnp

from decoder import HEADS, MODELS, initial_weights, some_tokens


def norm(x):
    return jax.nn.standardize(x, epsilon=1e-5)


def attention(x, w, layer):
    heads = (x @ w[f"attention {layer}"]).reshape(
        *x.shape[:2], 3, HEADS, -1)
    query, key, value = jnp.moveaxis(heads, 2, 0)
    mixed = jax.nn.dot_product_attention(query, key, value, is_causal=True)
    return mixed.reshape(x.shape) @ w[f"mix {layer}"]


def predict(tokens, w, layers):
    x = w["embedding"][tokens] + w["position"]
    for layer in range(layers):
        x = x + attention(norm(x), w, layer)
        x = x + jax.nn.relu(norm(x) @ w[f"up {layer}"]) @ w[f"down {layer}"]
    return norm(x) @ w["classes"]


def loss_of(w, tokens, layers):
    logits = predict(tokens[:, :-1], w, layers)
    likely = jnp.take_along_axis(
        jax.nn.log_softmax(logits), tokens[:, 1:, None], -1)
    return -likely.mean()


@partial(jax.jit, static_argnames="layers", donate_argnames="w")
def update(w, tokens, layers):
    loss, gradients = jax.value_and_grad(loss_of)(w, tokens, layers)
    return jax.tree.map(
        lambda each, gradient: each - 0.1 * gradient, w, gradients), loss


def training(sizes):
    """Return a function that trains a model by one step."""
    w = {name: jnp.asarray(values)
         for name, values in initial_weights(sizes).items()}

    def step(tokens):
        nonlocal w
        w, loss = update(w, tokens, sizes.layers)
        return loss

    return step

# %% losses
def to_device(tokens):
    return jnp.asarray(tokens)


ready = jax.block_until_ready
sizes = MODELS["input"]
step, batch = training(sizes), to_device(some_tokens(sizes))
print(*[f"{float(step(batch)):.3f}" for _ in range(5)])

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
        return [float(loss) for loss in pending]

    return {"each step": lambda: [float(step(batch)) for _ in range(steps)],
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
    factors = [jnp.ones((each, width)) for each in rows]
    square = jnp.ones((width, width))
    return lambda: [each @ square for each in factors]


@partial(jax.jit, donate_argnums=0)
def add_in_place(a, b):
    return a + b


def its_bytes(sizes):
    """Return as many bytes as a step moves, in additions in place."""
    length, times = lengths_of_additions(traffic(sizes))
    a, b = jnp.zeros(length), jnp.ones(length)

    def run():
        nonlocal a
        for _ in range(times):
            a = add_in_place(a, b)
        return a

    return run

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
from pathlib import Path

from measure import taken
from traces import Timeline, parts


def traced(model, steps):
    """Return when each step of a trace began and ended, and each operator."""
    run = constant(MODELS[model])
    ready(run())
    with jax.profiler.trace("trace"):
        for _ in range(steps):
            with jax.profiler.TraceAnnotation("a step"):
                ready(run())
    newest = max(Path("trace").rglob("*.xplane.pb"), key=str)
    events = [
        (event.name, event.start_ns / 1e9, event.end_ns / 1e9,
         "hlo_op" in dict(event.stats))  # an operation of the program
        for plane in jax.profiler.ProfileData.from_file(str(newest)).planes
        for line in plane.lines for event in line.events]
    return ([event[1:3] for event in events if event[0] == "a step"],
            [event[:3] for event in events if event[3]])


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
    with jax.profiler.trace("trace"):
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
