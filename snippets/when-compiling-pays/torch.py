# /// polytab
# measures = true
# timeout = 900
# ///

# %% formula
import os
import tempfile
import time
import zipfile
from pathlib import Path

import torch
from torch import nn

from measure import compare, sweep, taken
from peak import peak

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
torch.set_grad_enabled(False)  # until the last section


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + torch.tanh(inner))


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


compiled = torch.compile(gelu, dynamic=True)


# %% ahead varies="sizes" why="the machine code depends on the processor"
class Network(nn.Module):
    def __init__(self, depth=4, width=256):
        super().__init__()
        layers = (nn.Linear(width, width) for _ in range(depth))
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            x = gelu(layer(x))
        return x


network, x = Network().to(device), torch.randn(64, 256, device=device)
exported = torch.export.export(network, (x,))
torch.export.save(exported, "graph.pt2")
torch._inductor.aoti_compile_and_package(
    exported, package_path="compiled.pt2",
    inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0",
                      "aot_inductor.precompile_headers": False})
for name in ("graph.pt2", "compiled.pt2"):
    print(name, Path(name).stat().st_size)
    with zipfile.ZipFile(name) as archive:
        for entry in archive.infolist():
            path = Path(entry.filename)
            if entry.file_size > 5000 or "model" in path.name:
                print("   ", path.suffix or path.name, entry.file_size)

# %% ahead-loaded
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # or nothing is checked
ahead = torch._inductor.aoti_load_package("compiled.pt2")
print("same:", torch.allclose(ahead(x), network(x), atol=1e-5))
try:
    ahead(x[:5])
except RuntimeError as error:
    print(type(error).__name__, "-", str(error).splitlines()[0][:100])

# %% ahead-time
compiled(x)  # The first use compiles a C++ header for all the others.
torch.compiler.reset()
no_files = torch.compiler.config.patch(force_disable_caches=True)
just = torch.compile(network)

with no_files:
    times = compare("ahead", just_in_time=lambda: just(x),
                    ahead_of_time=lambda: ahead(x), wait=ready)
times


# %% cache varies="files" why="how many there are depends on the machine"
def first_call():
    torch.compiler.reset()
    start = time.perf_counter()
    ready(torch.compile(network)(x))
    return time.perf_counter() - start


first_call()
cache = Path(tempfile.gettempdir())
for suffix in (".cpp", ".h", ".so", ".py"):
    print(suffix, len(list(cache.glob(f"torchinductor_*/**/*{suffix}"))))

# %% cache-time
with_files = [first_call() for _ in range(3)]
with no_files:
    without_files = [first_call() for _ in range(3)]

taken("cache", without=without_files, with_files=with_files)


# %% first-call
def networks(depth=4, width=256, batch=64):
    torch.set_grad_enabled(False)
    torch.compiler.reset()
    network = Network(depth, width).to(device)
    x = torch.randn(batch, width, device=device)
    compiled = torch.compile(network, dynamic=False)
    return {"eager": lambda: network(x), "compiled": lambda: compiled(x)}


with no_files:
    times = sweep("depth", "layers", [1, 4, 16], networks,
                  wait=ready, first=["compiled"])
times

# %% memory
torch.compiler.reset()
many = torch.randn(2**22, device=device)

# What Linux counts holds nothing of a GPU.
compare("memory", eager=lambda: gelu(many), compiled=lambda: compiled(many),
        wait=ready, memory=peak if device == "cpu" else None)

# %% pays-batch
with no_files:
    times = sweep("batch", "batch size", [1, 8, 64, 512],
                  lambda batch: networks(batch=batch), wait=ready)
times

# %% pays-width
with no_files:
    times = sweep("width", "width", [64, 256, 1024],
                  lambda width: networks(width=width), wait=ready)
times


# %% break-even
def by_batch(batch):
    return networks(batch=batch)


with no_files:
    times = sweep("break-even", "batch size", [1, 64], by_batch,
                  wait=ready, first=True)
times


# %% step
torch.compiler.reset()
torch.set_grad_enabled(True)
network, x = Network().to(device), torch.randn(64, 256, device=device)
parameters = list(network.parameters())


def loss(x):
    return network(x).square().mean()


@torch.no_grad
def update(parameters, gradients):
    for old, slope in zip(parameters, gradients):
        old -= 0.01 * slope


def step(loss, update):
    gradients = torch.autograd.grad(loss(x), parameters)
    update(parameters, gradients)


compiled_loss, compiled_update = torch.compile(loss), torch.compile(update)

compare("step", eager=lambda: step(loss, update),
        compiled=lambda: step(compiled_loss, compiled_update), wait=ready)
