# /// polytab
# measures = true
# timeout = 900
# ///

# %% product
import torch

from measure import compare, sweep

device = "cuda" if torch.cuda.is_available() else "cpu"


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


torch.manual_seed(0)
exact_a, exact_b = torch.rand(2, 512, 512, dtype=torch.float64, device=device)


def product(kind):
    a, b = exact_a.to(kind), exact_b.to(kind)
    return lambda: a @ b


def converted(kind):
    a, b = exact_a.to(kind), exact_b.to(kind)
    return lambda: (a.float() @ b.float()).to(kind)


compare("product", float64=product(torch.float64),
        float32=product(torch.float32), bfloat16=product(torch.bfloat16),
        float16=product(torch.float16),
        bfloat16_converted=converted(torch.bfloat16),
        float16_converted=converted(torch.float16), wait=ready)

# %% kernels
import os
import re
import subprocess
import sys

PROGRAM = """
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.ones(512, 512, dtype=torch.{kind}, device=device)
{product}
"""


def kernel(kind, product="x @ x", **variables):
    """Return what the logs name: library, kernel, type of the input."""
    log = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(kind=kind, product=product)],
        env={**os.environ, **variables,
             "ONEDNN_VERBOSE": "1", "MKL_VERBOSE": "1"},
        capture_output=True, text=True, check=True).stdout
    for line in log.splitlines():
        fields = line.split(",")
        if "exec" in fields and "reorder" not in fields:
            names = fields[fields.index("exec") + 2:][:2]
            kind = re.search(r"src[_:]([a-z]+\d+)", line)[1]
            return "oneDNN", *filter(None, names), "in", kind
        if line.startswith("MKL_VERBOSE") and "GEMM" in line:
            return "MKL", line.split()[1].split("(")[0]
    return ("neither library is called",)


for kind in ("float32", "bfloat16", "float16"):
    print(f"{kind}:", *kernel(kind))

# %% instructions-taken
from processes import compare_processes


def work():
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.rand(512, 512, device=device).bfloat16()
    return lambda: (x @ x)[0, 0].item()


without_bf16 = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_VNNI"}
without_avx512 = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
for variables in ({}, without_bf16, without_avx512):
    print(*variables.values(), *kernel("bfloat16", **variables))

compare_processes("instructions", {
    "as it is": (work, {}),
    "without BF16": (work, without_bf16),
    "without AVX-512": (work, without_avx512)})

# %% errors varies="errors" why="each kernel adds in an order of its own"
exact = exact_a @ exact_b


def error(result):
    return float((result.double() - exact).norm() / exact.norm())


def step_by_step(a, b):
    """Round to the type after each of the 512 terms."""
    total = torch.zeros_like(a)
    for column, row in zip(a.T, b):
        total = total + torch.outer(column, row)
    return total


other = exact_a.flip(1) @ exact_b.flip(0)
print(f"float64, from the last term to the first: {error(other):.0e}")
for kind in (torch.float32, torch.bfloat16, torch.float16):
    a, b = exact_a.to(kind), exact_b.to(kind)
    print(f"{str(kind)[6:]}: inputs {error(a.double() @ b.double()):.0e},"
          f" result {error(exact.to(kind)):.0e}, product {error(a @ b):.0e},"
          f" step by step {error(step_by_step(a, b)):.0e}")


# %% addition
def additions(size):
    def addition(kind):
        a = torch.ones(size, dtype=kind, device=device)
        b = torch.zeros(size, dtype=kind, device=device)
        return lambda: a.add_(b)

    return {"float64": addition(torch.float64),
            "float32": addition(torch.float32),
            "bfloat16": addition(torch.bfloat16),
            "float16": addition(torch.float16)}


sweep("addition", "numbers", [2**16, 2**24], additions, wait=ready)


# %% sums-of-ones
def one_by_one(numbers):
    total = torch.zeros_like(numbers[0])
    for number in numbers:
        total = total + number
    return total


for kind in (torch.bfloat16, torch.float16):
    ones = torch.ones(4096, dtype=kind, device=device)
    print(f"{str(kind)[6:]}: one by one {one_by_one(ones):.0f},"
          f" sum {ones.sum():.0f}, running sum {ones.cumsum(0)[-1]:.0f},"
          f" product {ones @ ones:.0f}")

# %% train
inputs = torch.randn(128, 32, device=device)
teacher = [torch.randn(32, 32, device=device) / 6,
           torch.randn(32, 32, device=device) / 6]
start = [torch.randn(32, 32, device=device) / 6,
         torch.zeros(32, 32, device=device)]


def network(weights, x):
    first, last = weights
    x = x @ first
    x = x * torch.rsqrt((x * x).mean(1, keepdim=True) + 1e-5)
    return torch.tanh(x) @ last


def train(compute, keep, scale=1.0, size=1.0, unit=1.0, steps=300, rate=2.0):
    """Return the last loss, as a share of that of answering 0."""
    x, target = inputs * size, network(teacher, inputs) * unit
    weights = [each.to(keep) for each in start]
    for _ in range(steps):
        used = [each.to(compute).detach().requires_grad_()
                for each in weights]
        error = network(used, x.to(compute)) - target.to(compute)
        loss = (error * error).mean()
        gradients = torch.autograd.grad(loss * scale, used)
        weights = [(each.float() - rate * (gradient.float() / scale)).to(keep)
                   for each, gradient in zip(weights, gradients)]
    answer = network([each.float() for each in weights], x)
    return float((answer - target).square().mean() / target.square().mean())


# %% lost varies="losses" why="each kernel adds in an order of its own"
from functools import partial

f32, bf16, f16 = torch.float32, torch.bfloat16, torch.float16
slow = partial(train, rate=0.2, steps=500)  # updates are smaller so
print("                     weights in float32   in bfloat16")
for compute in (f32, bf16):
    print(f"computed in {str(compute)[6:]:8} {slow(compute, f32):18.3f}"
          f" {slow(compute, bf16):13.3f}")

# %% scale varies="losses" why="each kernel adds in an order of its own"
small = 2.0**-14  # what the network is to answer is so much smaller
for compute, scale in ((f32, 1.0), (bf16, 1.0), (f16, 1.0), (f16, 2.0**12)):
    print(f"computed in {str(compute)[6:]:8} loss times {scale:<6.0f}:"
          f" {train(compute, f32, scale, unit=small):.3f}")

# %% range varies="losses" why="each kernel adds in an order of its own"
print("                 inputs of size 1     300   30,000")
for compute in (f32, bf16, f16):
    losses = [train(compute, f32, size=size) for size in (1, 300, 30_000)]
    print(f"computed in {str(compute)[6:]:8}", *(f"{each:12.3f}"
                                                  for each in losses))

# %% autocast
from torch import nn
from torch.nn import functional as F

x = torch.ones(4, 4, device=device)
OPERATIONS = {
    "product": lambda: x @ x, "linear": lambda: F.linear(x, x),
    "addition": lambda: x + x, "softmax": lambda: F.softmax(x, 1),
    "layer norm": lambda: F.layer_norm(x, (4,)),
    "sum": lambda: x.sum(), "exponential": lambda: torch.exp(x),
    "mean squared error": lambda: F.mse_loss(x, x)}

with torch.autocast(device, torch.bfloat16):
    for name, operation in OPERATIONS.items():
        print(f"{name}: {operation().dtype}")

# %% scaler
layer = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device, init_scale=2.0**10)

for factor in (1.0, 1e4, 1.0):  # the second loss is much too large
    before = layer.weight.clone()
    with torch.autocast(device, torch.float16):
        loss = layer(x).square().mean() * factor
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    print("updated:", bool((layer.weight != before).any()),
          "scale:", scaler.get_scale())

# %% step
from peak import peak


def steps(batch):
    def step(kind, mixed=False):
        torch.manual_seed(0)
        net = nn.Sequential(*(each for _ in range(4) for each in (
            nn.Linear(1024, 1024), nn.ReLU()))).to(device, kind)
        x = torch.randn(batch, 1024, device=device, dtype=kind)
        optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)

        def run():
            with torch.autocast(device, torch.bfloat16, enabled=mixed):
                loss = net(x).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()

        return run

    return {"float32": step(torch.float32),
            "mixed": step(torch.float32, mixed=True),
            "bfloat16": step(torch.bfloat16)}


sweep("step", "batch size", [1, 256], steps, wait=ready,
      memory=peak if device == "cpu" else None)


# %% memory varies="sizes" why="an allocator takes what is free"
if device == "cpu":
    for name, step in steps(4096).items():
        print(f"{name}: {peak(step) / 2**20:.0f} MiB")


# %% quantised varies="errors" why="each kernel adds in an order of its own"
def quantised(numbers, dim=(0, 1), top=127):
    """Return whole numbers up to `top`, and the scale that they share."""
    scale = numbers.abs().amax(dim, keepdim=True) / top
    return (numbers / scale).round().to(torch.int8), scale


def int8_product(x, weight, dim):
    x, x_scale = quantised(x, 1)
    weight, scale = quantised(weight, dim)
    whole = x.double() @ weight.double().t()  # exact: the sums are small
    return whole * x_scale * scale.t()


torch.manual_seed(1)
x = torch.randn(512, 512, device=device)
weight = torch.randn(512, 512, device=device)
outlier = weight.clone()
outlier[0, 0] = 40 * weight.std()
for name, each in (("as it is", weight), ("with an outlier", outlier)):
    exact = x.double() @ each.double().t()
    for dim, share in (((0, 1), "one scale"), (1, "a scale a row")):
        off = int8_product(x, each, dim) - exact
        print(f"{name}, {share}: {float(off.norm() / exact.norm()):.4f}")


# %% fewer-bits varies="errors" why="each kernel adds in an order of its own"
def restored(weight, bits, dim):
    whole, scale = quantised(weight.t(), dim, 2 ** (bits - 1) - 1)
    return (whole * scale).t()


answers = network(teacher, inputs)
for bits in (8, 4, 2):
    for dim, share in (((0, 1), "one scale"), (1, "a scale a row")):
        weights = [restored(each, bits, dim) for each in teacher]
        off = (network(weights, inputs) - answers).square().mean()
        print(f"{bits} bits, {share}: {off / answers.square().mean():.4f}")

# %% int8-times
import warnings

weight = torch.randn(4096, 4096, device=device)
bf16_weight = weight.bfloat16()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it moves to another package, `torchao`
    int8_layer = torch.ao.quantization.quantize_dynamic(
        nn.Sequential(nn.Linear(4096, 4096, bias=False)).to("cpu"))


def layers(batch):
    x = torch.randn(batch, 4096, device=device)
    bf16_x, on_cpu = x.bfloat16(), x.cpu()
    return {"float32": lambda: F.linear(x, weight),
            "bfloat16": lambda: F.linear(bf16_x, bf16_weight),
            "int8": lambda: int8_layer(on_cpu)}


sweep("int8", "batch size", [1, 128], layers, wait=ready)


# %% int8-instructions
QUANTISED = """
torch.backends.quantized.engine = "onednn"
net = torch.nn.Sequential(torch.nn.Linear(512, 512)).to("cpu")
torch.ao.quantization.quantize_dynamic(net)(x.cpu())
"""


def int8_work():
    import warnings

    import torch

    warnings.simplefilter("ignore")
    torch.backends.quantized.engine = "onednn"
    net = torch.nn.Sequential(torch.nn.Linear(1024, 1024)).to("cpu")
    layer = torch.ao.quantization.quantize_dynamic(net)
    x = torch.randn(128, 1024, device="cpu")
    return lambda: layer(x)[0, 0].item()


without_vnni = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE"}
for variables in ({}, without_vnni):
    print(*variables.values(), *kernel("float32", QUANTISED, **variables))

compare_processes("int8 instructions", {
    "as it is": (int8_work, {}),
    "without VNNI": (int8_work, without_vnni)})
