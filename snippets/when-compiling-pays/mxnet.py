# /// polytab
# measures = true
# timeout = 600
# ///

# %% formula
import json
from functools import cache
from pathlib import Path

import mxnet as mx
from mxnet import gluon, np, npx, sym
from mxnet.gluon import nn

from first_calls import seconds_of_first_call
from measure import compare, sweep, taken
from peak import peak

npx.set_np()


def gelu(F, x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + F.np.tanh(inner))


def library(F, x):
    return F.npx.leaky_relu(x, act_type="gelu")


def ready(result):
    npx.waitall()


# %% network
class Layer(nn.HybridBlock):
    def __init__(self, activation, rows, columns):
        super().__init__()
        self.dense = nn.Dense(columns, in_units=rows)
        self.activation = activation

    def hybrid_forward(self, F, x):
        return self.activation(F, self.dense(x))


def network(activation, widths=(256,) * 5):
    net = nn.HybridSequential()
    net.add(*[Layer(activation, *pair) for pair in zip(widths, widths[1:])])
    net.initialize(mx.init.Xavier())
    return net


def compile_block(block):
    block.hybridize(static_alloc=True, static_shape=True)
    return block


x = np.random.normal(size=(64, 256))
print("close:", np.allclose(library(mx, x), gelu(mx, x), atol=1e-3))


# %% batch
def networks(batch=64, width=256):
    called = network(library, [width] * 5)
    compiled = compile_block(network(library, [width] * 5))
    x = np.random.normal(size=(batch, width))
    npx.waitall()
    return {"library": lambda: called(x),
            "library compiled": lambda: compiled(x)}


def by_batch(batch):
    x = np.random.normal(size=(batch, 8))
    narrow = network(library, [8] * 5)
    return networks(batch) | {"narrow": lambda: narrow(x)}


sweep("batch", "batch size", [1, 512], by_batch, wait=ready)


# %% width
def by_width(width):
    x = np.random.normal(size=(64, width))
    linear = network(lambda F, x: x, [width] * 5)
    return networks(width=width) | {"products": lambda: linear(x)}


sweep("width", "width", [64, 1024], by_width, wait=ready)


# %% memory
class Gelu(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return gelu(F, x)


many = np.random.normal(size=2**22)
compiled = compile_block(Gelu())
compare("memory", eager=lambda: gelu(mx, many),
        library=lambda: library(mx, many), compiled=lambda: compiled(many),
        wait=ready, memory=peak)


# %% first-calls
def deep(widths):
    npx.set_np()
    compiled = compile_block(network(library, widths))
    x = np.random.normal(size=(64, widths[0]))
    npx.waitall()
    return lambda: compiled(x)


def first_call(widths):
    return [seconds_of_first_call(deep, widths, wait=ready)]


unlike = [216, 224, 232, 240, 248, 256, 264, 272, 280]
taken("first calls", one_layer=first_call([256] * 2),
      eight_alike=first_call([256] * 9), eight_unlike=first_call(unlike))

# %% ahead
net = network(library)
# No input is needed for a program, only its name.
program = net(sym.var("data").as_np_ndarray())
program.save("network-symbol.json")
net.save_parameters("network.params")
net.hybridize()
net(x)
net.export("network")
nodes = json.loads(Path("network-symbol.json").read_text())["nodes"]
print(*[node["op"] for node in nodes if node["op"] != "null"])
for path in sorted(Path().glob("network*")):
    start = path.read_bytes()[:4]
    print(path.name, "- machine code:", start == b"\x7fELF")


# %% ways
@cache
def from_file():
    return gluon.SymbolBlock.imports(
        "network-symbol.json", ["data"], "network-0000.params")


def ways():
    npx.set_np()
    formula, called = network(gelu), network(library)
    compiled = compile_block(network(library))
    x = np.random.normal(size=(64, 256))
    npx.waitall()
    return {"eager": lambda: formula(x), "library": lambda: called(x),
            "just in time": lambda: compiled(x),
            "from file": lambda: from_file()(x)}


compare("ways", ways, wait=ready,
        first=["library", "just in time", "from file"])
