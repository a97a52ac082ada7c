# /// polytab
# measures = true
# ///

# %% dispatch
from mxnet import np, npx

from measure import compare, sweep

npx.set_np()


def ready(result):
    result.wait_to_read()


one = np.ones(1)

compare("dispatch", add=lambda: one + one, wait=ready)


# %% stream
def additions(size):
    a, b = np.random.uniform(size=size), np.random.uniform(size=size)
    out = np.empty(size)
    return {"add": lambda: np.add(a, b, out=out)}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [2**power for power in (8, 11, 14, 17, 20, 23)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% product
def products(width):
    a = np.random.uniform(size=(width, width))
    b = np.random.uniform(size=(width, width))
    return {"product": lambda: np.dot(a, b)}


sweep("product", "width", [16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = np.random.uniform(size=(4096, 4096))


def layers(batch):
    x = np.random.uniform(size=(batch, 4096))
    return {"layer": lambda: np.dot(x, weight)}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))


# %% gather
def gathers(length):
    table = np.random.uniform(size=length)
    in_order = np.arange(length, dtype="int32")
    shuffled = in_order.copy()
    np.random.shuffle(shuffled)
    return {"in order": lambda: np.take(table, in_order),
            "shuffled": lambda: np.take(table, shuffled)}


sweep("gather", "elements", [2**12, 2**17, 2**22], gathers, wait=ready)

# %% precision
double = np.random.uniform(size=(1024, 1024), dtype="float64")
single = double.astype("float32")

compare("precision", float64=lambda: np.dot(double, double),
        float32=lambda: np.dot(single, single), wait=ready)
