# /// polytab
# measures = true
# timeout = 900
# ///

# %% chain
import re
import time

import numpy as np
import tensorflow as tf

from measure import compare, sweep, taken

gpus = tf.config.list_physical_devices("GPU")


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + tf.tanh(inner))


def library(x):
    return tf.nn.gelu(x, approximate=True)


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


tf.random.set_seed(0)
x = tf.random.normal([4096])
compiled = tf.function(gelu, jit_compile=True)
library_compiled = tf.function(library, jit_compile=True)
ops = tf.function(library).get_concrete_function(x).graph.get_operations()
print("library:", *[op.type for op in ops if op.inputs])
print("library close:", np.allclose(library(x), gelu(x), atol=1e-6))
print("compiled close:", np.allclose(compiled(x), gelu(x), atol=1e-6))


# %% fused
def optimised(function, *args):
    """Return what XLA has made of a function, and nothing around it."""
    compiled = tf.function(function, jit_compile=True)
    text = compiled.experimental_get_compiler_ir(*args)(stage="optimized_hlo")
    text = re.sub(r", metadata={[^}]*}", "", text)
    return re.sub(r"\]{[\d,]*}", "]", text)


ops = tf.function(gelu).get_concrete_function(x).graph.get_operations()
print("graph:", *[op.type for op in ops if op.inputs])
print("XLA:")
for line in optimised(gelu, x).splitlines():
    # Constants, and their spreading over the vector, are left out.
    if " = " in line and not re.search(r"\] (const|broad|param)", line):
        print(line)


# %% chain-time
def chains(size):
    x = tf.random.normal([size])
    return {"eager": lambda: gelu(x), "compiled": lambda: compiled(x),
            "library": lambda: library(x),
            "library compiled": lambda: library_compiled(x),
            "one addition": lambda: x + 1}


sweep("chain", "elements", [8, 2**22], chains, wait=ready)

# %% kernels
x = tf.random.normal([64, 256])
weight, bias = tf.random.normal([256, 256]) / 16, tf.zeros(256)


def normalised(x):
    centred = x - tf.reduce_mean(x, 1, keepdims=True)
    variance = tf.reduce_mean(centred * centred, 1, keepdims=True)
    return centred / tf.sqrt(variance)


def linear(x):
    return tf.tanh(x @ weight + bias)


for function in (gelu, normalised, linear):
    main = optimised(function, x).split("ENTRY")[1]
    names = re.findall(r"%(\S+) = .* (fusion|dot|custom-call)\(", main)
    print(f"{function.__name__}: {len(names)}")
    print("  ", *[name for name, kind in names])


# %% guards
@tf.function
def scaled(x, factor):
    return x * factor


two = tf.ones(2)
for x, factor in [(two, 3), (tf.zeros(2), 3), (np.ones(2, "float32"), 3),
                  (two, 4), (two, tf.constant(4.0)), (two, tf.constant(5.0)),
                  (tf.ones(3), 3), (tf.ones(2, tf.float64), 3)]:
    scaled(x, factor)
    kind = "number" if isinstance(factor, int) else "tensor"
    print(f"{tf.as_dtype(x.dtype).name} {x.shape},",
          f"the {kind} {float(factor):.0f}:",
          scaled.experimental_get_tracing_count())
signatures = scaled.pretty_printed_concrete_signatures()
print(signatures.split("\n\n")[0])


# %% stale
class Settings:
    factor = 2.0


settings, factor = Settings(), 2.0
factors, variable = [2.0], tf.Variable(2.0)
read_global = tf.function(lambda x: x * factor)
read_attribute = tf.function(lambda x, settings: x * settings.factor)
read_list = tf.function(lambda x, factors: x * factors[0])
read_variable = tf.function(lambda x: x * variable)


def results():
    ten = tf.constant(10.0)
    return {"global": read_global(ten),
            "attribute of an argument": read_attribute(ten, settings),
            "item of an argument": read_list(ten, factors),
            "variable": read_variable(ten)}


before = results()
factor = settings.factor = factors[0] = 3.0
variable.assign(3.0)
for name, result in results().items():
    print(f"{name}: {before[name]:.0f}, then {result:.0f}")

# %% shapes
# One warning of many traces is enough.
tf.get_logger().setLevel("ERROR")

ROWS = [5, 9, 14, 23, 5]
weight = tf.random.normal([64, 64]) / 8


def score(x):
    return tf.reduce_mean(tf.tanh(x @ weight), 0)


def batch(rows):
    return tf.random.stateless_normal([rows, 64], seed=[0, rows])


def count_programs(function):
    for rows in ROWS:
        function(batch(rows))
        programs = function.experimental_get_tracing_count()
        print(f"{rows} rows, programs so far: {programs}")


fixed = tf.function(score, jit_compile=True)
count_programs(fixed)

# %% shapes-open
print("reduce_retracing")
count_programs(tf.function(score, reduce_retracing=True))
print("input_signature")
spec = [tf.TensorSpec([None, 64])]
opened = tf.function(score, input_signature=spec)
count_programs(opened)
print("input_signature and XLA")
opened_xla = tf.function(score, input_signature=spec, jit_compile=True)
count_programs(opened_xla)


# %% bucket
@tf.function(jit_compile=True)
def masked_score(x, rows):
    real = tf.cast(tf.range(len(x)), tf.float32)[:, None] < rows
    return tf.reduce_sum(tf.where(real, tf.tanh(x @ weight), 0), 0) / rows


def padded(x):
    missing = max(8, 2 ** (len(x) - 1).bit_length()) - len(x)
    return tf.pad(x, [[0, missing], [0, 0]])


for rows in ROWS:
    x = batch(rows)
    result = masked_score(padded(x), tf.constant(float(rows)))
    print(f"{rows} rows, programs so far:",
          masked_score.experimental_get_tracing_count(),
          "- right:", np.allclose(result, score(x), atol=1e-6))
wrong = score(padded(x))
print("right without a mask:", np.allclose(wrong, score(x), atol=1e-6))


# %% new-size
def padding(x):
    return masked_score(padded(x), tf.constant(float(len(x))))


def seconds(function, x):
    start = time.perf_counter()
    ready(function(x))
    return time.perf_counter() - start


# Each has been compiled and called before, for one size.
x = batch(128)
for function in (fixed, opened, opened_xla, padding):
    for _ in range(3):
        ready(function(x))

new = {"fixed": [], "open": [], "padded": [], "known size": [],
       "open XLA": []}
for rows in (70, 80, 90, 100, 110, 120):  # All are padded to 128 rows.
    x = batch(rows)
    new["fixed"].append(seconds(fixed, x))
    new["open"].append(seconds(opened, x))
    new["open XLA"].append(seconds(opened_xla, x))
    new["padded"].append(seconds(padding, x))
    new["known size"].append(seconds(fixed, x))

taken("new size", **new)

# %% shapes-time
x = batch(100)
compare("shapes", eager=lambda: score(x), fixed=lambda: fixed(x),
        open=lambda: opened(x), padded=lambda: padding(x), wait=ready)

# %% breaks
seen = []


def log(value):
    seen.append(float(value))


def broken(x):
    y = gelu(x)
    tf.py_function(log, [tf.reduce_max(y)], [])
    return tf.tanh(y) * 2 + 1


x = tf.random.normal([2**16])
broken_graph = tf.function(broken)
broken_graph(x)
broken_graph(x)
ops = broken_graph.get_concrete_function(x).graph.get_operations()
print("values logged:", len(seen))
print([op.type for op in ops if "Py" in op.type])
try:
    # A call would fail in the same way, with a longer message.
    optimised(broken, x)
except ValueError as error:
    # The rest of the message holds numbers that change with each run.
    print(re.search(r"No registered '\w+' OpKernel for \w+", str(error))[0])


# %% breaks-pieces
@tf.function(jit_compile=True)
def first(x):
    y = gelu(x)
    return y, tf.reduce_max(y)


@tf.function(jit_compile=True)
def second(y):
    return tf.tanh(y) * 2 + 1


def pieces(x):
    y, largest = first(x)
    log(largest)
    return second(y)


def watched(x, activation=gelu):
    y = activation(x)
    log(tf.reduce_max(y))
    return tf.tanh(y) * 2 + 1


print("close:", np.allclose(pieces(x), watched(x), atol=1e-5))


# %% breaks-mended
@tf.function(jit_compile=True)
def whole(x):
    y = gelu(x)
    return tf.tanh(y) * 2 + 1, tf.reduce_max(y)


def logging(x):
    result, largest = whole(x)
    log(largest)
    return result


print("close:", np.allclose(logging(x), watched(x), atol=1e-5))


# %% breaks-time
def variants(size):
    x = tf.random.normal([size])
    return {"eager": lambda: watched(x),
            "library": lambda: watched(x, library),
            "broken": lambda: pieces(x), "whole": lambda: logging(x)}


sweep("breaks", "elements", [8, 2**20], variants, wait=ready)
