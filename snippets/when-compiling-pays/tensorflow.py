# /// polytab
# measures = true
# timeout = 900
# ///

# %% formula
import os
import pathlib
from functools import cache

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"  # Without it, it counts no memory.

import numpy as np
import tensorflow as tf

from first_calls import seconds_of_first_call
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


# %% network
class Network(tf.Module):
    def __init__(self, activation, widths=(256,) * 5):
        super().__init__()
        self.activation = activation
        self.weights = [tf.Variable(tf.random.normal(pair) / pair[0]**0.5)
                        for pair in zip(widths, widths[1:])]
        self.biases = [tf.Variable(tf.zeros(width)) for width in widths[1:]]

    def __call__(self, x):
        for weight, bias in zip(self.weights, self.biases):
            x = self.activation(x @ weight + bias)
        return x


def compile_network(network):
    # Of a function of its own, or all networks would share one cache.
    return tf.function(lambda x: network(x), jit_compile=True)


formula, network = Network(gelu), Network(library)
for new, old in zip(network.variables, formula.variables):
    new.assign(old)
x = tf.random.normal([64, 256])
print("close:", np.allclose(network(x), formula(x), atol=1e-5))


# %% batch
def networks(batch=64, width=256):
    called = Network(library, [width] * 5)
    compiled = compile_network(called)
    x = tf.random.normal([batch, width])
    return {"library": lambda: called(x),
            "library compiled": lambda: compiled(x)}


def by_batch(batch):
    x, few = tf.random.normal([batch, 256]), tf.random.normal([batch, 8])
    graph = tf.function(lambda x: network(x))
    narrow = Network(library, [8] * 5)
    return networks(batch) | {"graph": lambda: graph(x),
                              "narrow": lambda: narrow(few)}


sweep("batch", "batch size", [1, 512], by_batch, wait=ready)


# %% width
def by_width(width):
    x = tf.random.normal([64, width])
    linear = Network(lambda x: x, [width] * 5)
    return networks(width=width) | {"products": lambda: linear(x)}


sweep("width", "width", [64, 1024], by_width, wait=ready)

# %% memory
many = tf.random.normal([2**22])
compiled = tf.function(gelu, jit_compile=True)
device = "GPU:0" if gpus else "CPU:0"
count = tf.config.experimental.get_memory_info


def peak(run):
    """Return how far TensorFlow's own count of bytes rises in a call."""
    tf.config.experimental.reset_memory_stats(device)
    before = count(device)["current"]
    run()
    return count(device)["peak"] - before


compare("memory", eager=lambda: gelu(many), library=lambda: library(many),
        compiled=lambda: compiled(many), wait=ready, memory=peak)


# %% first-calls
def deep(widths):
    compiled = compile_network(Network(library, widths))
    x = tf.random.normal([64, widths[0]])
    return lambda: compiled(x)


def first_call(folder, widths):
    """Call it in a new process, which keeps in a folder what it compiles."""
    folder = pathlib.Path(folder).absolute()
    folder.mkdir(exist_ok=True)
    flag = f"--tf_xla_persistent_cache_directory={folder}"
    seconds = seconds_of_first_call(
        deep, widths, wait=ready, variables={"TF_XLA_FLAGS": flag})
    spec = tf.TensorSpec([64, widths[0]])
    deeper = tf.function(Network(library, widths))
    graph = deeper.get_concrete_function(spec).graph
    print(f"{len(widths) - 1} layers, {len(graph.get_operations())} nodes,"
          f" files in the folder: {len(list(folder.iterdir()))}")
    return [seconds]


alike = [256] * 9
unlike = [216, 224, 232, 240, 248, 256, 264, 272, 280]
taken("first calls", one_layer=first_call("one", [256] * 2),
      eight_alike=first_call("alike", alike),
      eight_unlike=first_call("unlike", unlike),
      found_on_disk=first_call("unlike", unlike))

# %% ahead
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


# %% ways
@cache
def from_file():
    return tf.saved_model.load("saved")


def ways():
    formula, network = Network(gelu), Network(library)
    compiled = compile_network(network)
    x = tf.random.normal([64, 256])
    return {"eager": lambda: formula(x), "library": lambda: network(x),
            "just in time": lambda: compiled(x),
            "from file": lambda: from_file().serve(x)}


compare("ways", ways, wait=ready,
        first=["library", "just in time", "from file"])
