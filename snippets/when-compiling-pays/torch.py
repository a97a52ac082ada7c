# /// polytab
# measures = true
# timeout = 900
# ///

# %% formula
import os
import tempfile
import zipfile
from functools import cache
from pathlib import Path

# Otherwise each new process tries which instructions its processor has.
os.environ["TORCHINDUCTOR_VEC_ISA_OK"] = "1"

import torch
from torch import nn
from torch.nn import functional as F

from first_calls import seconds_of_first_call
from measure import compare, sweep, taken
from peak import peak

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
torch.set_grad_enabled(False)


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + torch.tanh(inner))


def library(x):
    return F.gelu(x, approximate="tanh")


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


# %% network
class Network(nn.Module):
    def __init__(self, activation, widths=(256,) * 5):
        super().__init__()
        layers = (nn.Linear(*pair) for pair in zip(widths, widths[1:]))
        self.layers = nn.ModuleList(layers)
        self.activation = activation

    def forward(self, x):
        for layer in self.layers:
            x = self.activation(layer(x))
        return x


formula, network = Network(gelu).to(device), Network(library).to(device)
network.load_state_dict(formula.state_dict())
x = torch.randn(64, 256, device=device)
print("close:", torch.allclose(network(x), formula(x), atol=1e-5))


# %% batch
def networks(batch=64, width=256):
    torch.compiler.reset()
    x = torch.randn(batch, width, device=device)
    called = Network(library, [width] * 5).to(device)
    compiled = torch.compile(called, dynamic=False)  # for this size alone
    return {"library": lambda: called(x),
            "library compiled": lambda: compiled(x)}


def by_batch(batch):
    x = torch.randn(batch, 8, device=device)
    narrow = Network(library, [8] * 5).to(device)
    return networks(batch) | {"narrow": lambda: narrow(x)}


sweep("batch", "batch size", [1, 512], by_batch, wait=ready)


# %% width
def by_width(width):
    x = torch.randn(64, width, device=device)
    linear = Network(nn.Identity(), [width] * 5).to(device)
    return networks(width=width) | {"products": lambda: linear(x)}


sweep("width", "width", [64, 1024], by_width, wait=ready)

# %% memory
torch.compiler.reset()
compiled = torch.compile(gelu)
many = torch.randn(2**22, device=device)

# What Linux counts holds nothing of a GPU.
compare("memory", eager=lambda: gelu(many), library=lambda: library(many),
        compiled=lambda: compiled(many),
        wait=ready, memory=peak if device == "cpu" else None)


# %% first-calls
def deep(widths):
    torch.set_grad_enabled(False)
    network = torch.compile(Network(library, widths).to(device), dynamic=False)
    x = torch.randn(64, widths[0], device=device)
    return lambda: network(x)


def first_call(folder, widths):
    """Call it in a new process, which keeps in a folder what it compiles."""
    seconds = seconds_of_first_call(
        deep, widths, wait=ready, caches=folder,
        # Earlier cells have left a compiled C++ header there.
        variables={"TMPDIR": tempfile.gettempdir()})
    kernels = len(list(Path(folder).glob("**/*.main.so")))
    print(len(widths) - 1, "layers, kernels in the folder:", kernels)
    return [seconds]


alike = [256] * 9
unlike = [216, 224, 232, 240, 248, 256, 264, 272, 280]
taken("first calls", one_layer=first_call("one", [256] * 2),
      eight_alike=first_call("alike", alike),
      eight_unlike=first_call("unlike", unlike),
      found_on_disk=first_call("unlike", unlike))

# %% ahead varies="sizes" why="the machine code depends on the processor"
exported = torch.export.export(network, (x,))
torch.export.save(exported, "graph.pt2")
torch._inductor.aoti_compile_and_package(
    exported, package_path="compiled.pt2",
    # Both only spare time while this cell runs.
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


# %% probes
def load():
    x = torch.randn(64, 256, device=device)
    return lambda: torch._inductor.aoti_load_package("compiled.pt2")(x)


taken("probes", from_file=[seconds_of_first_call(
    load, wait=ready, variables={"TORCHINDUCTOR_VEC_ISA_OK": ""})])


# %% ways
@cache
def from_file():
    return torch._inductor.aoti_load_package("compiled.pt2")


def ways():
    torch.set_grad_enabled(False)
    x = torch.randn(64, 256, device=device)
    formula, network = Network(gelu).to(device), Network(library).to(device)
    compiled = torch.compile(network)
    return {"eager": lambda: formula(x), "library": lambda: network(x),
            "just in time": lambda: compiled(x),
            "from file": lambda: from_file()(x)}


torch.compiler.reset()
compare("ways", ways, wait=ready,
        first=["library", "just in time", "from file"])
