# /// polytab
# measures = true
# timeout = 900
# ///

# %% formula
import os
import pathlib
import subprocess
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"  # Without it, it counts no memory.

import numpy as np
import tensorflow as tf

from measure import compare, sweep

gpus = tf.config.list_physical_devices("GPU")


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + tf.tanh(inner))


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


tf.random.set_seed(0)
graph = tf.function(gelu)
compiled = tf.function(gelu, jit_compile=True)


# %% ahead
class Network(tf.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.weights = [
            tf.Variable(tf.random.normal([width, width]) / width**0.5)
            for _ in range(depth)]
        self.biases = [tf.Variable(tf.zeros(width)) for _ in range(depth)]

    def __call__(self, x):
        for weight, bias in zip(self.weights, self.biases):
            x = gelu(x @ weight + bias)
        return x


def compile_network(network):
    # Of a function of its own, or all networks would share one cache.
    return tf.function(lambda x: network(x), jit_compile=True)


network = Network(4, 256)
x = tf.random.normal([64, 256])
spec = tf.TensorSpec([64, 256], name="x")
traced = compile_network(network).get_concrete_function(spec)
print("same:", np.allclose(traced(x), network(x), atol=1e-5))

# %% ahead-saved
network.serve = tf.function(lambda x: {"y": network(x)}, jit_compile=True)
tf.saved_model.save(network, "saved",
                    signatures=network.serve.get_concrete_function(spec))
for path in ("saved_model.pb", "variables/variables.data-00000-of-00001"):
    print(path, "holds", pathlib.Path("saved", path).stat().st_size, "bytes")
content = pathlib.Path("saved/saved_model.pb").read_bytes()
for word in ("Tanh", "MatMul", "_XlaMustCompile", "\x7fELF"):
    print(repr(word), "in saved_model.pb:", word.encode() in content)

# %% ahead-object
# This is what the command `saved_model_cli aot_compile_cpu` calls.
from tensorflow.python.tools.saved_model_aot_compile import (
    aot_compile_cpu_meta_graph_def,
)
from tensorflow.python.tools.saved_model_utils import get_meta_graph_def

tf.get_logger().setLevel("ERROR")


def compile_ahead(saved):
    aot_compile_cpu_meta_graph_def(
        checkpoint_path=f"{saved}/variables/variables",
        meta_graph_def=get_meta_graph_def(saved, "serve"),
        signature_def_key="serving_default", variables_to_feed=(),
        output_prefix=f"{saved}-object/code", cpp_class="Program",
        target_triple="x86_64-pc-linux", target_cpu="", multithreading=False)
    for path in sorted(pathlib.Path(f"{saved}-object").iterdir()):
        elf = path.read_bytes().startswith(b"\x7fELF")
        print(path.name, "- machine code or data" if elf else "- text")


chain = tf.Module()
chain.serve = tf.function(lambda x: {"y": gelu(x)})
tf.saved_model.save(chain, "chain", signatures=(
    chain.serve.get_concrete_function(tf.TensorSpec([4096], name="x"))))
compile_ahead("chain")
try:
    compile_ahead("saved")
except RuntimeError as error:
    print("the network:", error)

# %% ahead-time
fresh, warm = compile_network(network), compile_network(network)
traced = compile_network(network).get_concrete_function(spec)
warm(tf.zeros([64, 256]))
compare("ahead", just_in_time=lambda: fresh(x), traced=lambda: traced(x),
        ahead_of_time=lambda: warm(x), wait=ready)

# %% cache varies="times" why="they are measured anew in every run"
program = """
import time
import tensorflow as tf

@tf.function(jit_compile=True)
def layers(x):
    for _ in range(16):
        x = tf.nn.softmax(tf.tanh(x @ x) * 2 + 1)
    return x

x = tf.ones([64, 64])
start = time.perf_counter()
layers(x).numpy()
print(f"first call {(time.perf_counter() - start) * 1e3:.0f} ms,")
"""
flags = "--tf_xla_persistent_cache_directory=cache"
cache = pathlib.Path("cache")
cache.mkdir()
for _ in range(2):
    done = subprocess.run([sys.executable, "-c", program], check=True,
                          env={**os.environ, "TF_XLA_FLAGS": flags},
                          capture_output=True, text=True)
    print(done.stdout.strip(), "files:", len(list(cache.iterdir())))


# %% first-call
def networks(depth, width=256, batch=64):
    network = Network(depth, width)
    compiled = compile_network(network)
    x = tf.random.normal([batch, width])
    return {"eager": lambda: network(x), "compiled": lambda: compiled(x)}


sweep("depth", "layers", [1, 4, 16], networks, wait=ready,
      first=["compiled"])

# %% memory
many = tf.random.normal([2**22])
device = "GPU:0" if gpus else "CPU:0"
count = tf.config.experimental.get_memory_info


def peak(run):
    """Return how far TensorFlow's own count of bytes rises in a call."""
    tf.config.experimental.reset_memory_stats(device)
    before = count(device)["current"]
    run()
    return count(device)["peak"] - before


compare("memory", eager=lambda: gelu(many), compiled=lambda: compiled(many),
        graph=lambda: graph(many), wait=ready, memory=peak)

# %% pays-batch
sweep("batch", "batch size", [1, 8, 64, 512],
      lambda batch: networks(4, 256, batch), wait=ready)

# %% pays-width
sweep("width", "width", [64, 256, 1024],
      lambda width: networks(4, width, 64), wait=ready)


# %% break-even
def by_batch(batch):
    return networks(4, batch=batch)


sweep("break-even", "batch size", [1, 64], by_batch, wait=ready, first=True)


# %% step
def training(network):
    variables = network.trainable_variables

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(network(x) ** 2)
        gradients = tape.gradient(loss, variables)
        for variable, gradient in zip(variables, gradients):
            variable.assign_sub(0.01 * gradient)
        return loss

    return step


def compiled_training():
    return tf.function(training(Network(4, 256)), jit_compile=True)


check = compiled_training()
print("loss falls:", bool(check(x) > check(x)))
eager_step, compiled_step = training(Network(4, 256)), compiled_training()
compare("step", eager=lambda: eager_step(x),
        compiled=lambda: compiled_step(x), wait=ready)
