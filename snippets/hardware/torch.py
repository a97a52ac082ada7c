# /// polytab
# measures = true
# ///

# %% dispatch
import torch

from measure import compare, sweep

device = "cuda" if torch.cuda.is_available() else "cpu"


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


torch.manual_seed(0)
one = torch.ones(1, device=device)

compare("dispatch", add=lambda: one + one, wait=ready)


# %% stream
def additions(size):
    a = torch.rand(size, device=device)
    b = torch.rand(size, device=device)
    out = torch.empty(size, device=device)
    return {"add": lambda: torch.add(a, b, out=out)}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [2**power for power in (8, 11, 14, 17, 20, 23)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% product
def products(width):
    a = torch.rand(width, width, device=device)
    b = torch.rand(width, width, device=device)
    return {"product": lambda: a @ b}


sweep("product", "width", [16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = torch.rand(4096, 4096, device=device)


def layers(batch):
    x = torch.rand(batch, 4096, device=device)
    return {"layer": lambda: x @ weight}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))


# %% gather
def gathers(length):
    table = torch.rand(length, device=device)
    in_order = torch.arange(length, device=device)
    shuffled = torch.randperm(length, device=device)
    return {"in order": lambda: table[in_order],
            "shuffled": lambda: table[shuffled]}


sweep("gather", "elements", [2**12, 2**17, 2**22], gathers, wait=ready)

# %% precision
double = torch.rand(1024, 1024, dtype=torch.float64, device=device)
single = double.float()

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
