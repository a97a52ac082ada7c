# /// polytab
# measures = true
# ///

# %% dispatch
import paddle

from measure import compare, sweep

device = paddle.device.get_device()


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


paddle.seed(0)
one = paddle.ones([1])

compare("dispatch", add=lambda: one + one, wait=ready)


# %% stream
def additions(size):
    a, b = paddle.rand([size]), paddle.rand([size])
    return {"add": lambda: a.add_(b)}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [2**power for power in (8, 11, 14, 17, 20, 23)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% product
def products(width):
    a, b = paddle.rand([width, width]), paddle.rand([width, width])
    return {"product": lambda: a @ b}


sweep("product", "width", [16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = paddle.rand([4096, 4096])


def layers(batch):
    x = paddle.rand([batch, 4096])
    return {"layer": lambda: x @ weight}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))


# %% gather
def gathers(length):
    table = paddle.rand([length])
    in_order = paddle.arange(length)
    shuffled = paddle.randperm(length)
    return {"in order": lambda: paddle.gather(table, in_order),
            "shuffled": lambda: paddle.gather(table, shuffled)}


sweep("gather", "elements", [2**12, 2**17, 2**22], gathers, wait=ready)

# %% precision
double = paddle.rand([1024, 1024], dtype="float64")
single = double.astype("float32")

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
