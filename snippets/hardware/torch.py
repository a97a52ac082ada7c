# /// polytab
# measures = true
# ///

# %% stream
import torch
from torch.nn import functional as F

from measure import compare, sweep

device = "cuda" if torch.cuda.is_available() else "cpu"


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


def additions(size):
    a, b = torch.rand(2, size, device=device)
    return {"in place": lambda: a.add_(b), "new array": lambda: a + b}


torch.manual_seed(0)
# Three numbers of four bytes for each addition: two read, one written.
SIZES = [16**power for power in range(7)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% gather
def lookups(rows):
    # Always 2**22 numbers: the more rows there are, the shorter they are.
    table = torch.rand(rows, 2**22 // rows, device=device)
    in_order = torch.arange(rows, device=device)
    shuffled = torch.randperm(rows, device=device)
    return {"in order": lambda: F.embedding(in_order, table),
            "shuffled": lambda: F.embedding(shuffled, table)}


ROWS = [2**power for power in (16, 18, 20, 22)]
sweep("gather", "rows", ROWS, lookups, wait=ready)


# %% product
def products(width):
    a, b = torch.rand(2, width, width, device=device)
    return {"product": lambda: a @ b}


sweep("product", "width", [1, 16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = torch.rand(4096, 4096, device=device)


def layers(batch):
    x = torch.rand(batch, 4096, device=device)
    return {"layer": lambda: F.linear(x, weight)}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))

# %% one-example
# The same bytes of weights as above, in sixteen pieces.
row = torch.rand(1, 4096, device=device)
x = torch.rand(1, 1024, device=device)
sixteen = [torch.rand(1024, 1024, device=device) for _ in range(16)]


def products_with(weights):
    return [F.linear(x, each) for each in weights]


compare("one example", layer=lambda: F.linear(row, weight),
        sixteen_matrices=lambda: products_with(sixteen),
        one_matrix=lambda: products_with(sixteen[:1] * 16), wait=ready)

# %% precision
double = torch.rand(1024, 1024, dtype=torch.float64, device=device)
single = double.float()

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
