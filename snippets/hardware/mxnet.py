# /// polytab
# measures = true
# ///

# %% stream
from mxnet import np, npx

from measure import compare, sweep

npx.set_np()


def ready(result):
    npx.waitall()


def additions(size):
    a, b = np.random.uniform(size=size), np.random.uniform(size=size)
    return {"in place": lambda: np.add(a, b, out=a),
            "new array": lambda: a + b}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [16**power for power in range(7)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% gather
def lookups(rows):
    # Always 2**22 numbers: the more rows there are, the shorter they are.
    table = np.random.uniform(size=(rows, 2**22 // rows))
    in_order = np.arange(rows, dtype="int32")
    shuffled = in_order.copy()
    np.random.shuffle(shuffled)
    return {"in order": lambda: np.take(table, in_order, axis=0),
            "shuffled": lambda: np.take(table, shuffled, axis=0)}


ROWS = [2**power for power in (16, 18, 20, 22)]
sweep("gather", "rows", ROWS, lookups, wait=ready)


# %% product
def products(width):
    a = np.random.uniform(size=(width, width))
    b = np.random.uniform(size=(width, width))
    return {"product": lambda: np.dot(a, b)}


sweep("product", "width", [1, 16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = np.random.uniform(size=(4096, 4096))


def linear(x, weight):  # what a layer `nn.Dense` calls
    return npx.fully_connected(x, weight, num_hidden=len(weight), no_bias=True)


def layers(batch):
    x = np.random.uniform(size=(batch, 4096))
    return {"layer": lambda: linear(x, weight)}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))

# %% one-example
# The same bytes of weights as above, in sixteen pieces.
row = np.random.uniform(size=(1, 4096))
x = np.random.uniform(size=(1, 1024))
sixteen = [np.random.uniform(size=(1024, 1024)) for _ in range(16)]


def products_with(weights):
    for each in weights:  # one at a time, or their threads get in the way
        linear(x, each).wait_to_read()


compare("one example", layer=lambda: linear(row, weight),
        sixteen_matrices=lambda: products_with(sixteen),
        one_matrix=lambda: products_with(sixteen[:1] * 16), wait=ready)

# %% precision
double = np.random.uniform(size=(1024, 1024), dtype="float64")
single = double.astype("float32")

compare("precision", float64=lambda: np.dot(double, double),
        float32=lambda: np.dot(single, single), wait=ready)
