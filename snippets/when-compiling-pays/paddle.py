# /// polytab
# measures = true
# timeout = 600
# ///

# %% formula
import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import paddle
from paddle import inference, nn
from paddle.jit import to_static
from paddle.nn import functional as F
from paddle.static import InputSpec

from first_calls import seconds_of_first_call
from measure import compare, sweep, taken
from peak import peak

device = paddle.device.get_device()


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + paddle.tanh(inner))


def library(x):
    return F.gelu(x, approximate=True)


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


# %% network
class Layer(nn.Layer):
    def __init__(self, activation, rows, columns):
        super().__init__()
        self.linear = nn.Linear(rows, columns)
        self.activation = activation

    def forward(self, x):
        return self.activation(self.linear(x))


def network(activation, widths=(256,) * 5):
    paddle.seed(0)
    return nn.Sequential(*[Layer(activation, *pair)
                           for pair in zip(widths, widths[1:])])


paddle.seed(0)
x = paddle.randn([64, 256])
print("close:", np.allclose(library(x), gelu(x), atol=1e-5))


# %% batch
def networks(batch=64, width=256):
    paddle.set_grad_enabled(False)
    called = network(library, [width] * 5)
    compiled = to_static(network(library, [width] * 5), full_graph=True)
    x = paddle.randn([batch, width])
    return {"library": lambda: called(x),
            "library compiled": lambda: compiled(x)}


def by_batch(batch):
    x = paddle.randn([batch, 8])
    narrow = network(library, [8] * 5)
    return networks(batch) | {"narrow": lambda: narrow(x)}


sweep("batch", "batch size", [1, 512], by_batch, wait=ready)


# %% width
def by_width(width):
    x = paddle.randn([64, width])
    linear = network(lambda x: x, [width] * 5)
    return networks(width=width) | {"products": lambda: linear(x)}


sweep("width", "width", [64, 1024], by_width, wait=ready)

# %% memory
many = paddle.randn([2**22])
compiled = to_static(gelu, full_graph=True)
# What Linux counts holds nothing of a GPU.
compare("memory", eager=lambda: gelu(many), library=lambda: library(many),
        compiled=lambda: compiled(many),
        wait=ready, memory=peak if device == "cpu" else None)


# %% first-calls
def deep(widths):
    paddle.set_grad_enabled(False)
    compiled = to_static(network(library, widths), full_graph=True)
    x = paddle.randn([64, widths[0]])
    return lambda: compiled(x)


def first_call(widths):
    return [seconds_of_first_call(deep, widths, wait=ready)]


unlike = [216, 224, 232, 240, 248, 256, 264, 272, 280]
taken("first calls", one_layer=first_call([256] * 2),
      eight_alike=first_call([256] * 9), eight_unlike=first_call(unlike))

# %% ahead
THREADS = 2  # as all frameworks have here; a predictor takes one by default


def configure():
    config = inference.Config("network/saved.json", "network/saved.pdiparams")
    config.disable_glog_info()
    config.set_cpu_math_library_num_threads(THREADS)
    return config


def saved_operations(path):
    program = json.loads(Path(path).read_text())["program"]
    ops = program["regions"][0]["blocks"][0]["ops"]
    names = [op["#"].split(".")[-1] for op in ops]
    # Parameters, constants and results are no work.
    return dict(Counter(name for name in names if name not in (
        "p", "data", "full", "full_int_array", "fetch")))


layer = network(library)
layer.eval()
spec = [InputSpec([64, 256], "float32", name="x")]
paddle.jit.save(layer, "network/saved", input_spec=spec)
config = configure()
config.enable_save_optim_model(True)
config.set_optim_cache_dir("network")
inference.create_predictor(config)
for path in sorted(Path("network").iterdir()):
    content = path.read_bytes()
    print(path.name, "- machine code:", content.startswith(b"\x7fELF"))
print("saved:    ", saved_operations("network/saved.json"))
print("optimised:", saved_operations("network/_optimized.json"))


# %% ways
@cache
def from_file():
    return inference.create_predictor(configure())


def run(predictor, x):
    result = predictor.run([x])
    paddle.base.core.set_num_threads(THREADS)  # It has left one to all others.
    return result


def ways():
    paddle.set_grad_enabled(False)
    formula, called = network(gelu), network(library)
    compiled = to_static(network(library), full_graph=True)
    x = paddle.randn([64, 256])
    return {"eager": lambda: formula(x), "library": lambda: called(x),
            "just in time": lambda: compiled(x),
            "from file": lambda: run(from_file(), x)}


compare("ways", ways, wait=ready,
        first=["library", "just in time", "from file"])
