# /// polytab
# measures = true
# ///

# %% stream
import tensorflow as tf

from measure import compare, sweep

gpus = tf.config.list_physical_devices("GPU")


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


def additions(size):
    a = tf.Variable(tf.random.uniform([size]))
    b, c = tf.random.uniform([size]), tf.random.uniform([size])
    return {"in place": lambda: a.assign_add(b, read_value=False),
            "new array": lambda: b + c}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [16**power for power in range(7)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% gather
def lookups(rows):
    # Always 2**22 numbers: the more rows there are, the shorter they are.
    table = tf.random.uniform([rows, 2**22 // rows])
    in_order = tf.range(rows)
    shuffled = tf.random.shuffle(in_order)
    return {"in order": lambda: tf.gather(table, in_order),
            "shuffled": lambda: tf.gather(table, shuffled)}


ROWS = [2**power for power in (16, 18, 20, 22)]
sweep("gather", "rows", ROWS, lookups, wait=ready)


# %% product
def products(width):
    a, b = tf.random.uniform([width, width]), tf.random.uniform([width, width])
    return {"product": lambda: a @ b}


sweep("product", "width", [1, 16, 64, 256, 1024], products, wait=ready,
      operations=lambda width: 2 * width**3,
      traffic=lambda width: 12 * width**2)

# %% layer
weight = tf.random.uniform([4096, 4096])


def layers(batch):
    x = tf.random.uniform([batch, 4096])
    return {"layer": lambda: x @ weight}


# The weights are read whole, however many rows x has.
sweep("layer", "batch size", [1, 4, 16, 64, 256], layers, wait=ready,
      operations=lambda batch: 2 * batch * 4096**2,
      traffic=lambda batch: 4 * (4096**2 + 2 * batch * 4096))

# %% one-example
# The same bytes of weights as above, in sixteen pieces.
row = tf.random.uniform([1, 4096])
x = tf.random.uniform([1, 1024])
sixteen = [tf.random.uniform([1024, 1024]) for _ in range(16)]


def products_with(weights):
    return [x @ each for each in weights]


compare("one example", layer=lambda: row @ weight,
        sixteen_matrices=lambda: products_with(sixteen),
        one_matrix=lambda: products_with(sixteen[:1] * 16), wait=ready)

# %% precision
double = tf.random.uniform([1024, 1024], dtype=tf.float64)
single = tf.cast(double, tf.float32)

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
