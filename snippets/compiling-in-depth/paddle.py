# /// polytab
# measures = true
# timeout = 600
# ///

# %% chain
import json
import os
import time
from pathlib import Path

import numpy as np
import paddle
from paddle import inference, nn
from paddle.jit import to_static
from paddle.static import InputSpec

from measure import compare, sweep, taken


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + paddle.tanh(inner))


def library(x):
    return nn.functional.gelu(x, approximate=True)


paddle.seed(0)
x = paddle.randn([4096])
compiled = to_static(gelu, full_graph=True)
library_compiled = to_static(library, full_graph=True)
print("library close:", np.allclose(library(x), gelu(x), atol=1e-6))
print("compiled close:", np.allclose(compiled(x), gelu(x), atol=1e-6))


# %% fused
def operations(static):
    block = static.main_program.global_block()
    names = [op.name().split(".")[1] for op in block.ops]
    # Inputs, constants and results are no work.
    return [name for name in names
            if name not in ("data", "parameter", "full", "shadow_output")]


print("compiled with CINN:", paddle.is_compiled_with_cinn())
print(len(operations(compiled)), "operations:", *operations(compiled))

# %% chain-time
device = paddle.device.get_device()


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


def chains(size):
    x = paddle.randn([size])
    return {"eager": lambda: gelu(x), "compiled": lambda: compiled(x),
            "library": lambda: library(x),
            "library compiled": lambda: library_compiled(x),
            "one addition": lambda: x + 1}


sweep("chain", "elements", [8, 2**22], chains, wait=ready)


# %% kernels
class Elementwise(nn.Layer):
    def __init__(self):
        super().__init__()
        # The predictor takes no program without a parameter.
        self.shift = self.create_parameter([256], is_bias=True)

    def forward(self, x):
        return gelu(x + self.shift)


class Normalised(Elementwise):
    def forward(self, x):
        centred = x + self.shift - paddle.mean(x, 1, keepdim=True)
        variance = paddle.mean(centred * centred, 1, keepdim=True)
        return centred / paddle.sqrt(variance)


class Linear(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(256, 256)

    def forward(self, x):
        return paddle.tanh(self.linear(x))


def predictor(layer, name, rows=64):
    """Save a layer, load it for inference, and keep the program."""
    layer.eval()
    spec = [InputSpec([rows, 256], "float32", name="x")]
    paddle.jit.save(layer, f"{name}/saved", input_spec=spec)
    config = inference.Config(f"{name}/saved.json", f"{name}/saved.pdiparams")
    config.disable_glog_info()
    config.enable_save_optim_model(True)
    config.set_optim_cache_dir(name)
    return inference.create_predictor(config)


def saved_operations(path):
    program = json.loads(Path(path).read_text())["program"]
    ops = program["regions"][0]["blocks"][0]["ops"]
    names = [op["#"].split(".")[-1] for op in ops]
    # Parameters, constants and results are no work.
    return [name for name in names if name not in (
        "p", "data", "full", "full_int_array", "fetch")]


for layer in (Elementwise(), Normalised(), Linear()):
    name = type(layer).__name__.lower()
    predictor(layer, name)
    saved = saved_operations(f"{name}/saved.json")
    optimised = saved_operations(f"{name}/_optimized.json")
    print(f"{name}: {len(saved)} operations,",
          f"{len(optimised)} after the predictor")
    print("  new:", *set(optimised) - set(saved))


# %% guards
def scaled(x, factor):
    return x * factor


whole = to_static(scaled, full_graph=True)
two = paddle.ones([2])
for name, x, factor in [
    ("first", two, 3), ("other values", paddle.zeros([2]), 3),
    ("another shape", paddle.ones([3]), 3),
    ("another type", paddle.ones([2], "float64"), 3),
    ("another number", two, 4), ("a tensor", two, paddle.to_tensor(4.0)),
    ("another tensor", two, paddle.to_tensor(5.0)),
]:
    whole(x, factor)
    print(f"{name}: {len(whole.program_cache)}")


# %% stale
class Settings:
    factor = 2.0


settings, factor, factors = Settings(), 2.0, [2.0]
weight = paddle.to_tensor(2.0)


def read_global(x):
    return x * factor


def read_attribute(x):
    return x * settings.factor


def read_list(x):
    return x * factors[0]


def read_tensor(x):
    return x * weight


os.environ["MIN_GRAPH_SIZE"] = "0"  # or Python runs what is so small
static = {}
for function in (read_global, read_attribute, read_list, read_tensor):
    static[function, "whole graph"] = to_static(function, full_graph=True)
    static[function, "default"] = to_static(function)
ten = paddle.to_tensor(10.0)
before = {key: function(ten).item() for key, function in static.items()}
factor = settings.factor = factors[0] = 3.0
weight.set_value(paddle.to_tensor(3.0))
for key, function in static.items():
    print(f"{key[0].__name__}, {key[1]}: {before[key]:.0f},",
          f"then {function(ten).item():.0f}")
del os.environ["MIN_GRAPH_SIZE"]

# %% shapes
ROWS = [5, 9, 14, 23, 5]
matrix = paddle.randn([64, 64]) / 8


def score(x):
    return paddle.mean(paddle.tanh(x @ matrix), 0)


def count_programs(function):
    for rows in ROWS:
        function(paddle.ones([rows, 64]))
        programs = len(function.program_cache)
        print(f"{rows} rows, programs so far: {programs}")


fixed = to_static(score, full_graph=True)
count_programs(fixed)

# %% shapes-open
spec = [InputSpec([None, 64], "float32", name="x")]
opened = to_static(score, full_graph=True, input_spec=spec)
count_programs(opened)


# %% bucket
def masked_score(x, rows):
    real = paddle.unsqueeze(paddle.arange(x.shape[0]) < rows, 1)
    y = paddle.tanh(x @ matrix) * paddle.cast(real, "float32")
    return paddle.sum(y, 0) / rows


def padded(x):
    missing = max(8, 2 ** (len(x) - 1).bit_length()) - len(x)
    return paddle.concat([x, paddle.zeros([missing, 64])])


masked = to_static(masked_score, full_graph=True)
for rows in ROWS:
    x = paddle.randn([rows, 64])
    result = masked(padded(x), paddle.to_tensor(float(rows)))
    print(f"{rows} rows, programs so far: {len(masked.program_cache)}",
          "- right:", np.allclose(result, score(x), atol=1e-6))
wrong = score(padded(x))
print("right without a mask:", np.allclose(wrong, score(x), atol=1e-6))


# %% new-size
def padding(x):
    return masked(padded(x), paddle.to_tensor(float(x.shape[0])))


def seconds(function, x):
    start = time.perf_counter()
    ready(function(x))
    return time.perf_counter() - start


# Each has been compiled and called before, for one size.
x = paddle.randn([128, 64])
for function in (fixed, opened, padding):
    for _ in range(3):
        ready(function(x))

new = {"fixed": [], "open": [], "padded": [], "known size": []}
for rows in (70, 80, 90, 100, 110, 120):  # All are padded to 128 rows.
    x = paddle.randn([rows, 64])
    new["fixed"].append(seconds(fixed, x))
    new["open"].append(seconds(opened, x))
    new["padded"].append(seconds(padding, x))
    new["known size"].append(seconds(fixed, x))

taken("new size", **new)

# %% shapes-time
x = paddle.randn([100, 64])
compare("shapes", eager=lambda: score(x), fixed=lambda: fixed(x),
        open=lambda: opened(x), padded=lambda: padding(x), wait=ready)

# %% breaks
from paddle.jit.sot.utils import (
    ENV_MIN_GRAPH_SIZE,
    BreakGraphReasonInfo,
    InfoCollector,
)


class Watch:
    largest = 0.0


watch = Watch()


def watched(x):
    y = gelu(x)
    watch.largest = float(y.max())
    return paddle.tanh(y) * 2 + 1


x = paddle.randn([2**16])
broken = to_static(watched)
os.environ["SOT_COLLECT_INFO"] = "breakgraph_reason,subgraph_info"
broken(x)
del os.environ["SOT_COLLECT_INFO"]
InfoCollector().print_report(BreakGraphReasonInfo)
print("smallest graph:", ENV_MIN_GRAPH_SIZE.get())
InfoCollector().clear()
broken(2 * x)
print("right:", watch.largest == gelu(2 * x).max().item())

# %% breaks-whole
wrong = to_static(watched, full_graph=True)
wrong(x)
print(type(watch.largest).__name__)


# %% breaks-mended
def returning(x):
    y = gelu(x)
    return paddle.tanh(y) * 2 + 1, y.max()


def logging(compiled):
    def run(x):
        result, top = compiled(x)
        watch.largest = float(top)
        return result

    return run


os.environ["SOT_COLLECT_INFO"] = "breakgraph_reason,subgraph_info"
whole = logging(to_static(returning))
print("close:", np.allclose(whole(x), watched(x), atol=1e-5))
del os.environ["SOT_COLLECT_INFO"]
InfoCollector().print_report(BreakGraphReasonInfo)
InfoCollector().clear()
full_graph = to_static(returning, full_graph=True)
whole_graph = logging(full_graph)
print("close:", np.allclose(whole_graph(x), watched(x), atol=1e-5))
print("whole graph:", len(operations(full_graph)), "operations")


# %% breaks-time
@to_static(full_graph=True)
def before(x):
    y = gelu(x)
    return y, y.max()


@to_static(full_graph=True)
def after(y):
    return paddle.tanh(y) * 2 + 1


def in_two(x):
    y, top = before(x)
    watch.largest = float(top)
    return after(y)


def with_library(x):
    y = library(x)
    watch.largest = float(y.max())
    return paddle.tanh(y) * 2 + 1


def variants(size):
    x = paddle.randn([size])
    return {"eager": lambda: watched(x), "library": lambda: with_library(x),
            "broken": lambda: in_two(x), "whole": lambda: whole_graph(x)}


sweep("breaks", "elements", [8, 2**20], variants, wait=ready)
