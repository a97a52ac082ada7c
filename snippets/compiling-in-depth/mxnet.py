# /// polytab
# measures = true
# timeout = 600
# ///

# %% chain
import json
import time

import mxnet as mx
from mxnet import np, npx, sym
from mxnet.gluon import nn

from measure import compare, sweep, taken

npx.set_np()


def gelu(F, x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + F.np.tanh(inner))


class Gelu(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return gelu(F, x)


def library(x):
    return npx.leaky_relu(x, act_type="gelu")


class Library(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.npx.leaky_relu(x, act_type="gelu")


def ready(result):
    npx.waitall()


def compile_block(block):
    block.hybridize(static_alloc=True, static_shape=True)
    return block


x = np.random.normal(size=4096)
eager, compiled = Gelu(), compile_block(Gelu())
library_compiled = compile_block(Library())
print("library close:", np.allclose(library(x), eager(x), atol=1e-6),
      "- off by", f"{np.abs(library(x) - eager(x)).max().item():.0e}")
print("compiled close:", np.allclose(compiled(x), eager(x)))


# %% fused
def operators(symbol):
    nodes = json.loads(symbol.tojson())["nodes"]
    return [node["op"] for node in nodes if node["op"] != "null"]


program = eager(sym.var("x").as_np_ndarray())
print("recorded: ", *operators(program))
print("optimised:", *operators(program.optimize_for("MKLDNN")))
features = mx.runtime.Features()
for name in ("MKLDNN", "CUDA_RTC", "TVM_OP"):
    print(name, features.is_enabled(name))


# %% chain-time
def chains(size):
    x = np.random.normal(size=size)
    return {"eager": lambda: eager(x), "compiled": lambda: compiled(x),
            "library": lambda: library(x),
            "library compiled": lambda: library_compiled(x),
            "one addition": lambda: x + 1}


sweep("chain", "elements", [8, 2**22], chains, wait=ready)


# %% kernels
class Normalised(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        centred = x - F.np.mean(x, axis=1, keepdims=True)
        variance = F.np.mean(centred * centred, axis=1, keepdims=True)
        return centred / F.np.sqrt(variance)


linear = nn.Dense(256, activation="tanh")
linear.initialize()
x = np.random.normal(size=(64, 256))
for name, block in [("elementwise", Gelu()), ("normalised", Normalised()),
                    ("linear", linear)]:
    block(x)
    program = block(sym.var("x").as_np_ndarray())
    optimised = operators(program.optimize_for("MKLDNN"))
    print(f"{name}: {len(operators(program))} operators,",
          f"{len(optimised)} after the backend")
print("  ", *operators(linear(sym.var("x").as_np_ndarray())), "->", *optimised)


# %% guards
class Scaled(nn.HybridBlock):
    def hybrid_forward(self, F, x, y):
        print("  recording")
        return x * y


scaled = Scaled()
scaled.hybridize()
for shape, other, dtype in [((2,), (2,), "float32"), ((3,), (3,), "float32"),
                            ((2, 2), (2, 2), "float32"),
                            ((2,), (2,), "float64"), ((2,), (3,), "float32")]:
    a, b = np.ones(shape, dtype=dtype), np.ones(other, dtype=dtype)
    print(shape, other, dtype)
    try:
        print("  ", scaled(a, b).dtype)
    except mx.MXNetError as error:
        print("  MXNetError:", str(error).splitlines()[-1][-60:])


# %% stale
class Settings:
    factor = 2.0


class Reads(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.attribute = 2.0
        self.parameter = self.params.get("parameter", shape=1, init="ones")

    def hybrid_forward(self, F, x, parameter):
        return x * factor, x * self.attribute, x * parameter


factor = 2.0
reads = Reads()
reads.initialize()
reads.parameter.set_data(np.array([2.0]))
reads.hybridize()
ten = np.array([10.0])
before = reads(ten)
factor = reads.attribute = 3.0
reads.parameter.set_data(np.array([3.0]))
for name, old, new in zip(("global", "attribute", "parameter"), before,
                          reads(ten)):
    print(f"{name}: {old.item():.0f}, then {new.item():.0f}")

# %% shapes
ROWS = [5, 9, 14, 23, 5]
weight = np.random.normal(size=(64, 64)) / 8
recordings = []


class Score(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.weight = self.params.get_constant("weight", weight)

    def hybrid_forward(self, F, x, weight):
        recordings.append(type(x).__name__)
        return F.np.mean(F.np.tanh(F.np.dot(x, weight)), axis=0)


def make_score(**options):
    score = Score()
    score.initialize()
    score.hybridize(**options)
    return score


def count_programs(score):
    recordings.clear()
    for rows in ROWS:
        score(np.ones((rows, 64)))
        programs = recordings.count("_Symbol")
        print(f"{rows} rows, programs so far: {programs}")


fixed = make_score(static_alloc=True, static_shape=True)
count_programs(fixed)

# %% shapes-open
opened = make_score()
count_programs(opened)


# %% bucket
class MaskedScore(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.weight = self.params.get_constant("weight", weight)

    def hybrid_forward(self, F, x, rows, weight):
        recordings.append(type(x).__name__)
        y = F.np.tanh(F.np.dot(x, weight))
        real = F.np.expand_dims(F.npx.arange_like(x, axis=0) < rows, 1)
        return F.np.sum(F.np.where(real, y, 0), axis=0) / rows


def padded(x):
    missing = max(8, 2 ** (len(x) - 1).bit_length()) - len(x)
    return np.pad(x, ((0, missing), (0, 0)))


score, masked_score = make_score(), MaskedScore()
masked_score.initialize()
compile_block(masked_score)
score(np.ones((1, 64)))
recordings.clear()
for rows in ROWS:
    x = np.random.normal(size=(rows, 64))
    result = masked_score(padded(x), np.array([rows]))
    print(f"{rows} rows, programs so far: {recordings.count('_Symbol')}",
          "- right:", np.allclose(result, score(x), atol=1e-6))
wrong = score(padded(x))
print("right without a mask:", np.allclose(wrong, score(x), atol=1e-6))


# %% new-size
def padding(x):
    return masked_score(padded(x), np.array([len(x)]))


def seconds(function, x):
    npx.waitall()
    start = time.perf_counter()
    ready(function(x))
    return time.perf_counter() - start


# Each has been compiled and called before, for one size.
x = np.random.normal(size=(128, 64))
for function in (fixed, opened, padding):
    for _ in range(3):
        ready(function(x))

new = {"fixed": [], "open": [], "padded": [], "known size": []}
for rows in (70, 80, 90, 100, 110, 120):  # All are padded to 128 rows.
    x = np.random.normal(size=(rows, 64))
    new["fixed"].append(seconds(fixed, x))
    new["open"].append(seconds(opened, x))
    new["padded"].append(seconds(padding, x))
    new["known size"].append(seconds(fixed, x))

taken("new size", **new)

# %% shapes-time
x, eager_score = np.random.normal(size=(100, 64)), Score()
eager_score.initialize()
compare("shapes", eager=lambda: eager_score(x), fixed=lambda: fixed(x),
        open=lambda: opened(x), padded=lambda: padding(x), wait=ready)

# %% breaks
seen = []


def log(value):
    seen.append(float(value))


class First(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = gelu(F, x)
        return y, F.np.max(y)


class Second(nn.HybridBlock):
    def hybrid_forward(self, F, y):
        return F.np.tanh(y) * 2 + 1


class Broken(nn.HybridBlock):
    def __init__(self):
        super().__init__()
        self.first, self.second = First(), Second()

    # Overriding forward keeps this block in Python.
    def forward(self, x):
        y, largest = self.first(x)
        log(largest)
        return self.second(y)


x = np.random.normal(size=2**16)
imperative, broken = Broken(), compile_block(Broken())
print("close:", np.allclose(broken(x), imperative(x)))
seen.clear()
broken(x)
broken(x)
print("values logged:", len(seen))


# %% breaks-mended
class Whole(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        y = gelu(F, x)
        return F.np.tanh(y) * 2 + 1, F.np.max(y)


whole = compile_block(Whole())


def logging(x):
    result, largest = whole(x)
    log(largest)
    return result


print("close:", np.allclose(logging(x), imperative(x)))
one = sym.var("x").as_np_ndarray()
for name, block in [("first", First()), ("second", Second()),
                    ("whole", Whole())]:
    outputs = block(one)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    print(f"{name}: {len(operators(sym.Group(list(outputs))))} operators")


# %% breaks-time
def with_library(x):
    y = library(x)
    log(np.max(y))
    return np.tanh(y) * 2 + 1


def variants(size):
    x = np.random.normal(size=size)
    return {"eager": lambda: imperative(x), "library": lambda: with_library(x),
            "broken": lambda: broken(x), "whole": lambda: logging(x)}


sweep("breaks", "elements", [8, 2**20], variants, wait=ready)
