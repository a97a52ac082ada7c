# /// polytab
# measures = true
# ///

# %% dispatch
import torch

from measure import compare, sweep

torch.manual_seed(0)
one = torch.ones(1)

compare("dispatch", add=lambda: one + one)


# %% stream
def additions(size):
    a, b = torch.rand(size), torch.rand(size)
    out = torch.empty(size)
    return {"add": lambda: torch.add(a, b, out=out)}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [2**power for power in (8, 11, 14, 17, 20, 23)]
sweep("stream", "elements", SIZES, additions,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% product
def products(width):
    a, b = torch.rand(width, width), torch.rand(width, width)
    return {"product": lambda: a @ b}


sweep("product", "width", [16, 64, 256, 1024], products,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = torch.rand(4096, 4096)


def layers(batch):
    x = torch.rand(batch, 4096)
    return {"layer": lambda: x @ weight}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))


# %% gather
def gathers(length):
    table = torch.rand(length)
    in_order = torch.arange(length)
    shuffled = torch.randperm(length)
    return {"in order": lambda: table[in_order],
            "shuffled": lambda: table[shuffled]}


sweep("gather", "elements", [2**12, 2**17, 2**22], gathers)

# %% precision
double = torch.rand(1024, 1024, dtype=torch.float64)
single = double.float()

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single)
