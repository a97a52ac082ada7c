# /// polytab
# measures = true
# timeout = 900
# ///

# %% product
import tensorflow as tf

from measure import compare, sweep

gpus = tf.config.list_physical_devices("GPU")


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


tf.random.set_seed(0)
exact_a = tf.random.uniform([512, 512], dtype=tf.float64)
exact_b = tf.random.uniform([512, 512], dtype=tf.float64)


def product(kind):
    a, b = tf.cast(exact_a, kind), tf.cast(exact_b, kind)
    return lambda: a @ b


def converted(kind):
    a, b = tf.cast(exact_a, kind), tf.cast(exact_b, kind)
    return lambda: tf.cast(tf.cast(a, "float32") @ tf.cast(b, "float32"), kind)


compare("product", float64=product("float64"), float32=product("float32"),
        bfloat16=product("bfloat16"), float16=product("float16"),
        bfloat16_converted=converted("bfloat16"),
        float16_converted=converted("float16"), wait=ready)

# %% kernels
import os
import re
import subprocess
import sys

PROGRAM = """
import tensorflow as tf

x = tf.ones([512, 512], "{kind}")
x @ x
"""


def kernel(kind, **variables):
    """Return what oneDNN's log names: kernel, and type of its input."""
    log = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(kind=kind)],
        env={**os.environ, **variables, "ONEDNN_VERBOSE": "1"},
        capture_output=True, text=True, check=True).stdout
    for line in log.splitlines():
        fields = line.split(",")
        if fields[0] == "onednn_verbose" and "exec" in fields:
            names = fields[fields.index("exec") + 2:][:2]
            kind = re.search(r"src[_:]([a-z]+\d+)", line)[1]
            return "oneDNN", *filter(None, names), "in", kind
    return ("oneDNN is not called",)


for kind in ("float32", "bfloat16", "float16"):
    print(f"{kind}:", *kernel(kind))

# %% instructions-taken
from processes import compare_processes


def work():
    import tensorflow as tf

    x = tf.cast(tf.random.uniform([512, 512]), tf.bfloat16)
    return lambda: (x @ x)[0, 0].numpy()


without_bf16 = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI"}
for variables in ({}, without_bf16):
    print(*variables.values(), *kernel("bfloat16", **variables))

compare_processes("instructions", {
    "as it is": (work, {}), "without BF16": (work, without_bf16)})

# %% errors varies="errors" why="each kernel adds in an order of its own"
exact = exact_a @ exact_b


def error(result):
    return float(tf.norm(tf.cast(result, tf.float64) - exact)
                 / tf.norm(exact))


def step_by_step(a, b):
    """Round to the type after each of the 512 terms."""
    total = tf.zeros_like(a)
    for column, row in zip(tf.unstack(a, axis=1), tf.unstack(b)):
        total = total + column[:, None] * row
    return total


other = tf.reverse(exact_a, [1]) @ tf.reverse(exact_b, [0])
print(f"float64, from the last term to the first: {error(other):.0e}")
for kind in ("float32", "bfloat16", "float16"):
    a, b = tf.cast(exact_a, kind), tf.cast(exact_b, kind)
    inputs = tf.cast(a, tf.float64) @ tf.cast(b, tf.float64)
    print(f"{kind}: inputs {error(inputs):.0e},"
          f" result {error(tf.cast(exact, kind)):.0e},"
          f" product {error(a @ b):.0e},"
          f" step by step {error(step_by_step(a, b)):.0e}")


# %% addition
def additions(size):
    def addition(kind):
        a = tf.Variable(tf.ones([size], kind))
        b = tf.zeros([size], kind)
        return lambda: a.assign_add(b, read_value=False)

    return {kind: addition(kind)
            for kind in ("float64", "float32", "bfloat16", "float16")}


sweep("addition", "numbers", [2**16, 2**24], additions, wait=ready)


# %% sums-of-ones
def one_by_one(numbers):
    total = tf.zeros_like(numbers[0])
    for number in tf.unstack(numbers):
        total = total + number
    return total


for kind in ("bfloat16", "float16"):
    ones = tf.ones([4096], kind)
    print(f"{kind}: one by one {float(one_by_one(ones)):.0f},"
          f" sum {float(tf.reduce_sum(ones)):.0f},"
          f" running sum {float(tf.cumsum(ones)[-1]):.0f},"
          f" product {float((ones[None] @ ones[:, None])[0, 0]):.0f}")

# %% train
inputs = tf.random.normal([128, 32])
teacher = [tf.random.normal([32, 32]) / 6, tf.random.normal([32, 32]) / 6]
start = [tf.random.normal([32, 32]) / 6, tf.zeros([32, 32])]


def network(weights, x):
    first, last = weights
    x = x @ first
    x = x * tf.math.rsqrt(tf.reduce_mean(x * x, 1, keepdims=True) + 1e-5)
    return tf.tanh(x) @ last


def train(compute, keep, scale=1.0, size=1.0, unit=1.0, steps=300, rate=2.0):
    """Return the last loss, as a share of that of answering 0."""
    x, target = inputs * size, network(teacher, inputs) * unit
    weights = [tf.cast(each, keep) for each in start]

    @tf.function
    def step(weights):
        used = [tf.cast(each, compute) for each in weights]
        with tf.GradientTape() as tape:
            tape.watch(used)
            error = network(used, tf.cast(x, compute))
            error -= tf.cast(target, compute)
            loss = tf.reduce_mean(error * error) * scale
        return [tf.cast(tf.cast(each, "float32") - rate
                        * (tf.cast(gradient, "float32") / scale), keep)
                for each, gradient in zip(weights, tape.gradient(loss, used))]

    for _ in range(steps):
        weights = step(weights)
    answer = network([tf.cast(each, "float32") for each in weights], x)
    return float(tf.reduce_mean((answer - target)**2)
                 / tf.reduce_mean(target**2))


# %% lost varies="losses" why="each kernel adds in an order of its own"
from functools import partial

f32, bf16, f16 = "float32", "bfloat16", "float16"
slow = partial(train, rate=0.2, steps=500)  # updates are smaller so
print("                     weights in float32   in bfloat16")
for compute in (f32, bf16):
    print(f"computed in {compute:8} {slow(compute, f32):18.3f}"
          f" {slow(compute, bf16):13.3f}")

# %% scale varies="losses" why="each kernel adds in an order of its own"
small = 2.0**-14  # what the network is to answer is so much smaller
for compute, scale in ((f32, 1.0), (bf16, 1.0), (f16, 1.0), (f16, 2.0**12)):
    print(f"computed in {compute:8} loss times {scale:<6.0f}:"
          f" {train(compute, f32, scale, unit=small):.3f}")

# %% range varies="losses" why="each kernel adds in an order of its own"
print("                 inputs of size 1     300   30,000")
for compute in (f32, bf16, f16):
    losses = [train(compute, f32, size=size) for size in (1, 300, 30_000)]
    print(f"computed in {compute:8}", *(f"{each:12.3f}" for each in losses))

# %% policy
from tensorflow import keras

for policy in ("mixed_bfloat16", "mixed_float16"):
    layer = keras.layers.Dense(4, dtype=policy)
    answer = layer(tf.ones([1, 4]))
    print(f"{policy}: weights {layer.kernel.dtype},"
          f" answer {answer.dtype.name}")

# %% scaler
keras.utils.set_random_seed(0)
layer = keras.layers.Dense(1, dtype="mixed_float16")
x = tf.ones([4, 4])
layer(x)
optimizer = keras.optimizers.LossScaleOptimizer(
    keras.optimizers.SGD(0.1), initial_scale=2.0**10)
optimizer.build(layer.trainable_variables)

for factor in (1.0, 1e4, 1.0):  # the second loss is much too large
    before = tf.identity(layer.kernel)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer(x) ** 2) * tf.cast(factor, tf.float16)
        scaled = optimizer.scale_loss(tf.cast(loss, tf.float32))
    gradients = tape.gradient(scaled, layer.trainable_variables)
    optimizer.apply(gradients, layer.trainable_variables)
    print("updated:", bool(tf.reduce_any(layer.kernel != before)),
          "scale:", float(optimizer.dynamic_scale))

# %% step
def steps(batch):
    def step(policy):
        keras.utils.set_random_seed(0)
        net = keras.Sequential(
            [keras.Input([1024], dtype="float32")]
            + [keras.layers.Dense(1024, "relu", dtype=policy)
               for _ in range(4)])
        x, weights = tf.random.normal([batch, 1024]), net.trainable_variables

        @tf.function
        def run():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.cast(net(x), "float32") ** 2)
            for weight, gradient in zip(weights, tape.gradient(loss, weights)):
                weight.assign_sub(tf.cast(1e-3, weight.dtype) * gradient)

        return run

    return {"float32": step("float32"), "mixed": step("mixed_bfloat16"),
            "bfloat16": step("bfloat16")}


sweep("step", "batch size", [1, 256], steps, wait=ready)


# %% quantised varies="errors" why="each kernel adds in an order of its own"
def quantised(numbers, axis=None, top=127):
    """Return whole numbers up to `top`, and the scale that they share."""
    scale = tf.reduce_max(tf.abs(numbers), axis, keepdims=True) / top
    return tf.cast(tf.round(numbers / scale), tf.int8), scale


def int8_product(x, weight, axis):
    x, x_scale = quantised(x, 1)
    weight, scale = quantised(weight, axis)
    whole = tf.matmul(x, weight, transpose_b=True, output_type=tf.int32)
    return tf.cast(whole, tf.float32) * x_scale * tf.transpose(scale)


x, weight = tf.random.normal([512, 512]), tf.random.normal([512, 512])
outlier = tf.tensor_scatter_nd_update(weight, [[0, 0]], [40.0])
for name, each in (("as it is", weight), ("with an outlier", outlier)):
    exact = tf.matmul(tf.cast(x, tf.float64), tf.cast(each, tf.float64),
                      transpose_b=True)
    for axis, share in ((None, "one scale"), (1, "a scale a row")):
        off = tf.cast(int8_product(x, each, axis), tf.float64) - exact
        print(f"{name}, {share}: {float(tf.norm(off) / tf.norm(exact)):.4f}")


# %% fewer-bits varies="errors" why="each kernel adds in an order of its own"
def restored(weight, bits, axis):
    whole, scale = quantised(tf.transpose(weight), axis, 2 ** (bits - 1) - 1)
    return tf.transpose(tf.cast(whole, tf.float32) * scale)


answers = network(teacher, inputs)
for bits in (8, 4, 2):
    for axis, share in ((None, "one scale"), (1, "a scale a row")):
        weights = [restored(each, bits, axis) for each in teacher]
        off = tf.reduce_mean((network(weights, inputs) - answers) ** 2)
        print(f"{bits} bits, {share}:"
              f" {float(off / tf.reduce_mean(answers ** 2)):.4f}")

# %% int8-times
import warnings

weight = tf.random.normal([4096, 4096])
bf16_weight = tf.cast(weight, tf.bfloat16)
layer = keras.layers.Dense(4096, use_bias=False)
layer.build([None, 4096])
layer.quantize("int8")
keras_layer = tf.function(layer)

product = tf.function(lambda x: x @ weight).get_concrete_function(
    tf.TensorSpec([None, 4096]))
converter = tf.lite.TFLiteConverter.from_concrete_functions([product], product)
converter.optimizations = [tf.lite.Optimize.DEFAULT]  # weights in int8
converted = converter.convert()


def layers(batch):
    x = tf.random.normal([batch, 4096])
    bf16_x = tf.cast(x, tf.bfloat16)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it moves to `ai_edge_litert`
        lite = tf.lite.Interpreter(
            model_content=converted, num_threads=os.cpu_count())
    lite.resize_tensor_input(0, [batch, 4096])
    lite.allocate_tensors()
    lite.set_tensor(lite.get_input_details()[0]["index"], x.numpy())
    return {"float32": lambda: x @ weight,
            "bfloat16": lambda: bf16_x @ bf16_weight,
            "int8": lite.invoke, "int8 in Keras": lambda: keras_layer(x)}


sweep("int8", "batch size", [1, 128], layers, wait=ready)
