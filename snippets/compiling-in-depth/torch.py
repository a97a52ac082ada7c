# /// polytab
# measures = true
# timeout = 900
# ///

# %% chain
import os
import re
import time

import torch
from torch import nn
from torch._inductor.utils import run_and_get_code

from measure import compare, sweep, taken

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
torch.set_grad_enabled(False)


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + torch.tanh(inner))


def library(x):
    return nn.functional.gelu(x, approximate="tanh")


x = torch.randn(4096, device=device)
compiled = torch.compile(gelu, dynamic=False)  # one program for each size
library_compiled = torch.compile(library, dynamic=False)
print("library close:", torch.allclose(library(x), gelu(x), atol=1e-6))
print("compiled close:", torch.allclose(compiled(x), gelu(x), atol=1e-6))


# %% fused
def generated(function, *args):
    """Return the program that has been generated for a function."""
    torch.compiler.reset()
    _, (code,) = run_and_get_code(torch.compile(function), *args)
    return re.sub(r"static_cast<\w+>\(([^()]*)\)", r"\1", code)


for line in generated(gelu, x).splitlines():
    if "for(int64_t" in line:
        print(line.strip())
    elif "auto tmp" in line or ".store(" in line:
        print("   ", line.strip())


# %% chain-time
def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


def chains(size):
    x = torch.randn(size, device=device)
    return {"eager": lambda: gelu(x), "compiled": lambda: compiled(x),
            "library": lambda: library(x),
            "library compiled": lambda: library_compiled(x),
            "one addition": lambda: x + 1}


sweep("chain", "elements", [8, 2**22], chains, wait=ready)


# %% kernels
def normalised(x):
    centred = x - x.mean(dim=1, keepdim=True)
    return centred / centred.square().mean(dim=1, keepdim=True).sqrt()


weight = torch.randn(256, 256, device=device)
bias = torch.randn(256, device=device)


def linear(x):
    return torch.tanh(x @ weight + bias)


def show_kernels(name, function, *args):
    code = generated(function, *args)
    loops = re.findall(r"for\(int64_t x(\d)", code)
    print(f"{name}: loops {loops.count('0')}, and in them {loops.count('1')};",
          "calls of kernels:")
    call = r"^ +(cpp_fused_\w+|extern_kernels\.\w+)\("
    print(*re.findall(call, code, flags=re.MULTILINE), sep=", ")


rows = torch.randn(64, 256, device=device)
show_kernels("elementwise", gelu, rows)
show_kernels("normalised", normalised, rows)
show_kernels("linear", linear, rows)

# %% guards
scale = 10.0
programs = []


def counting(graph_module, inputs):
    programs.append(graph_module)
    return graph_module.forward  # captured, not translated


def scaled(x, factor):
    return scale * factor * x


watched_by = torch.compile(scaled, backend=counting)
three = torch.ones(3, device=device)


def count_after(what, *args):
    watched_by(*args)
    print(f"{what}: {len(programs)}")


count_after("the first call", three, 2.0)
count_after("another factor", three, 3.0)
count_after("a third one", three, 4.0)
count_after("float16", three.half(), 3.0)
with torch.enable_grad():
    count_after("with gradients", three, 3.0)
torch.set_num_threads(1)
count_after("another number of threads", three, 3.0)
torch.set_num_threads(2)
scale = 11.0
count_after("another global number", three, 3.0)
print("allowed:", torch._dynamo.config.recompile_limit)


# %% stale
class Scale(nn.Module):
    factor = 10.0

    def forward(self, x):
        return self.factor * x


def from_environment(x):
    return float(os.environ.get("SCALE", "10")) * x


one = torch.ones(1, device=device)
module = Scale()
attribute = torch.compile(module, backend="eager")
environment = torch.compile(from_environment, backend="eager")
exported = torch.export.export(module, (one,)).module()
print(attribute(one), environment(one), exported(one))
module.factor, os.environ["SCALE"] = 1000.0, "1000"
print(attribute(one), environment(one), exported(one))

# %% shapes
w = torch.randn(64, 64, device=device)


def score(x):
    return torch.tanh(x @ w).mean(dim=0)


def show_programs(compiled, sizes):
    programs.clear()
    for rows in sizes:
        compiled(torch.randn(rows, 64, device=device))
        print(f"{rows:2} rows, programs so far: {len(programs)}")


ROWS = [5, 9, 14, 23, 5]
print("dynamic=False")
show_programs(torch.compile(score, backend=counting, dynamic=False), ROWS)
torch.compiler.reset()
print("the default")
show_programs(torch.compile(score, backend=counting), ROWS)

# %% shapes-open
torch.compiler.reset()
show_programs(torch.compile(score, backend=counting, dynamic=True),
              [*ROWS, 1])


# %% bucket
def masked_score(x, rows):
    real = torch.arange(x.shape[0], device=device)[:, None] < rows
    return torch.where(real, torch.tanh(x @ w), 0).sum(dim=0) / rows


def padded(x):
    size = max(8, 1 << (len(x) - 1).bit_length())
    return nn.functional.pad(x, (0, 0, 0, size - len(x)))


torch.compiler.reset()
bucketed = torch.compile(masked_score, backend=counting, dynamic=False)
programs.clear()
for rows in ROWS:
    x = torch.randn(rows, 64, device=device)
    result = bucketed(padded(x), torch.tensor(rows, device=device))
    same = torch.allclose(result, score(x), atol=1e-6)
    print(f"{rows:2} rows, programs so far: {len(programs)}, right: {same}")
wrong = score(padded(x))
print("right without a mask:", torch.allclose(wrong, score(x), atol=1e-6))

# %% new-size
torch.compiler.reset()
fixed = torch.compile(score, dynamic=False)
opened = torch.compile(lambda x: score(x), dynamic=True)
bucketed = torch.compile(masked_score, dynamic=False)


def padding(x):
    return bucketed(padded(x), torch.tensor(len(x), device=device))


def seconds(function, x):
    start = time.perf_counter()
    ready(function(x))
    return time.perf_counter() - start


# Each has been compiled and called before, for one size.
x = torch.randn(128, 64, device=device)
for function in (fixed, opened, padding):
    for _ in range(3):
        ready(function(x))

new = {"fixed": [], "open": [], "padded": [], "known size": []}
for rows in (70, 80, 90, 100, 110, 120):  # All are padded to 128 rows.
    x = torch.randn(rows, 64, device=device)
    new["fixed"].append(seconds(fixed, x))
    new["open"].append(seconds(opened, x))
    new["padded"].append(seconds(padding, x))
    new["known size"].append(seconds(fixed, x))

taken("new size", **new)

# %% shapes-time
x = torch.randn(100, 64, device=device)

compare("shapes", eager=lambda: score(x), fixed=lambda: fixed(x),
        open=lambda: opened(x), padded=lambda: padding(x), wait=ready)

# %% breaks
largest = 0.0


def watched(x, activation=gelu):
    global largest
    y = activation(x)
    largest = float(y.max())
    return torch.tanh(y) * 2 + 1


x = torch.randn(2**16, device=device)
found = torch._dynamo.explain(watched)(x)
print("graphs:", found.graph_count, "- breaks:", found.graph_break_count)
for each in found.break_reasons:
    print(each.user_stack[-1].line, "-", each.reason.splitlines()[0])
torch.compiler.reset()
programs.clear()
torch.compile(watched, fullgraph=True, backend=counting)(x)
print("with fullgraph=True, programs:", len(programs))

# %% breaks-list
seen = []


def watched_in_list(x):
    y = gelu(x)
    seen.append(float(y.max()))
    return torch.tanh(y) * 2 + 1


torch.compiler.reset()
programs.clear()
listed = torch.compile(watched_in_list, backend=counting)
for calls in range(1, 13):
    listed(x)
    if calls in (1, 2, 3, 8, 12):
        print(f"{calls:2} calls, programs so far: {len(programs)}")


# %% breaks-mended
def returning(x):
    y = gelu(x)
    return torch.tanh(y) * 2 + 1, y.max()


found = torch._dynamo.explain(returning)(x)
print("graphs:", found.graph_count, "- breaks:", found.graph_break_count)
torch.compiler.reset()
compiled_whole = torch.compile(returning, fullgraph=True, dynamic=False)


def whole(x):
    global largest
    result, top = compiled_whole(x)
    largest = float(top)
    return result


print("same:", torch.allclose(whole(x), watched(x), atol=1e-6))

# %% breaks-time
broken = torch.compile(watched, dynamic=False)


def variants(size):
    x = torch.randn(size, device=device)
    return {"eager": lambda: watched(x),
            "library": lambda: watched(x, library),
            "broken": lambda: broken(x), "whole": lambda: whole(x)}


sweep("breaks", "elements", [8, 2**20], variants, wait=ready)
