# /// polytab
# measures = true
# timeout = 600
# ///

# %% step
import keras
import tensorflow as tf

from decoder import HEADS, MODELS, initial_weights, some_tokens

gpus = tf.config.list_physical_devices("GPU")


def norm(x):
    mean, variance = tf.nn.moments(x, -1, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


def attention(x, w, layer):
    batch, length, width = x.shape
    heads = tf.reshape(tf.tensordot(x, w[f"attention {layer}"], 1),
                       (batch, length, 3, HEADS, width // HEADS))
    query, key, value = tf.unstack(tf.transpose(heads, (2, 0, 3, 1, 4)))
    scores = tf.matmul(query, key, transpose_b=True)
    later = 1 - tf.linalg.band_part(tf.ones((length, length)), -1, 0)
    shares = tf.nn.softmax(scores / (width // HEADS) ** 0.5 - 1e9 * later)
    mixed = tf.transpose(shares @ value, (0, 2, 1, 3))
    return tf.tensordot(tf.reshape(mixed, x.shape), w[f"mix {layer}"], 1)


def predict(tokens, w, layers):
    x = tf.gather(w["embedding"], tokens) + w["position"]
    for layer in range(layers):
        x = x + attention(norm(x), w, layer)
        inner = tf.nn.relu(tf.tensordot(norm(x), w[f"up {layer}"], 1))
        x = x + tf.tensordot(inner, w[f"down {layer}"], 1)
    return tf.tensordot(norm(x), w["classes"], 1)


def training(sizes):
    """Return a function that trains a model by one step."""
    w = {name: tf.Variable(values)
         for name, values in initial_weights(sizes).items()}
    variables = list(w.values())
    optimiser = keras.optimizers.SGD(0.1)
    optimiser.build(variables)

    @tf.function
    def step(tokens):
        with tf.GradientTape() as tape:
            logits = predict(tokens[:, :-1], w, sizes.layers)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(
                    tokens[:, 1:], logits))
        optimiser.apply(tape.gradient(loss, variables), variables)
        return loss

    return step

# %% losses
def to_device(tokens):
    return tf.constant(tokens)


def ready(result):
    if gpus:  # On a CPU a call returns when its work is done.
        tf.test.experimental.sync_devices()


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
    factors = [tf.ones((each, width)) for each in rows]
    square = tf.ones((width, width))
    return lambda: [each @ square for each in factors]


def its_bytes(sizes):
    """Return as many bytes as a step moves, in additions in place."""
    length, times = lengths_of_additions(traffic(sizes))
    a, b = tf.Variable(tf.zeros(length)), tf.ones(length)
    return lambda: [a.assign_add(b, read_value=False) for _ in range(times)]

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

from tensorflow.tsl.profiler.protobuf.xplane_pb2 import XSpace

from measure import taken
from traces import Timeline, parts


def is_operator(name):
    """Tell the names of operators, as `Relu_1:Relu`, from all others."""
    return ":" in name and "::" not in name and ": " not in name


def traced(model, steps):
    """Return when each step of a trace began and ended, and each operator."""
    run = constant(MODELS[model])
    ready(run())
    tf.profiler.experimental.start("trace")
    for number in range(steps):
        with tf.profiler.experimental.Trace("a step", step_num=number):
            ready(run())
    tf.profiler.experimental.stop()
    newest = max(Path("trace").rglob("*.xplane.pb"), key=str)
    events = []
    for plane in XSpace.FromString(newest.read_bytes()).planes:
        for line in plane.lines:
            for event in line.events:
                start = line.timestamp_ns / 1e9 + event.offset_ps / 1e12
                events.append((plane.event_metadata[event.metadata_id].name,
                               start, start + event.duration_ps / 1e12))
    return ([(start, end) for name, start, end in events if name == "a step"],
            [(name.rpartition(":")[2], start, end)  # the kind of an operator
             for name, start, end in events if is_operator(name)])


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
    tf.profiler.experimental.start("trace")
    took = seconds(run, calls)
    tf.profiler.experimental.stop()
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
