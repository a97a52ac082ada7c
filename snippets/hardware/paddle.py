# /// polytab
# measures = true
# ///

# %% stream
import paddle
from paddle.nn import functional as F

from measure import compare, sweep
from processes import compare_processes

device = paddle.device.get_device()


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


def additions(size):
    a, b = paddle.rand([size]), paddle.rand([size])
    return {"in place": lambda: a.add_(b), "new array": lambda: a + b}


paddle.seed(0)
# Three numbers of four bytes for each addition: two read, one written.
SIZES = [16**power for power in range(7)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% gather
def lookups(rows):
    # Always 2**22 numbers: the more rows there are, the shorter they are.
    table = paddle.rand([rows, 2**22 // rows])
    in_order = paddle.arange(rows)
    shuffled = paddle.randperm(rows)
    return {"in order": lambda: F.embedding(in_order, table),
            "shuffled": lambda: F.embedding(shuffled, table)}


ROWS = [2**power for power in (16, 18, 20, 22)]
sweep("gather", "rows", ROWS, lookups, wait=ready)


# %% product
def products(width):
    a, b = paddle.rand([width, width]), paddle.rand([width, width])
    return {"product": lambda: a @ b}


sweep("product", "width", [1, 16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)


# %% kernels
def work():
    import paddle

    a, b = paddle.rand([1024, 1024]), paddle.rand([1024, 1024])
    return lambda: (a @ b)[0, 0].item()


compare_processes("kernels", {
    "as it is": (work, {}),
    "told": (work, {"MKL_DEBUG_CPU_TYPE": "5"})})

# %% layer
weight = paddle.rand([4096, 4096])


def layers(batch):
    x = paddle.rand([batch, 4096])
    return {"layer": lambda: F.linear(x, weight)}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))

# %% one-example
# The same bytes of weights as above, in sixteen pieces.
row = paddle.rand([1, 4096])
x = paddle.rand([1, 1024])
sixteen = [paddle.rand([1024, 1024]) for _ in range(16)]


def products_with(weights):
    return [F.linear(x, each) for each in weights]


compare("one example", layer=lambda: F.linear(row, weight),
        sixteen_matrices=lambda: products_with(sixteen),
        one_matrix=lambda: products_with(sixteen[:1] * 16), wait=ready)

# %% precision
double = paddle.rand([1024, 1024], dtype="float64")
single = double.astype("float32")

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
