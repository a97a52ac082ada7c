# /// polytab
# measures = true
# ///

# %% dispatch
import tensorflow as tf

from measure import compare, sweep

gpus = tf.config.list_physical_devices("GPU")


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


one = tf.ones(1)

compare("dispatch", add=lambda: one + one, wait=ready)


# %% stream
def additions(size):
    a, b = tf.random.uniform([size]), tf.random.uniform([size])
    return {"add": lambda: a + b}


# Three numbers of four bytes for each addition: two read, one written.
SIZES = [2**power for power in (8, 11, 14, 17, 20, 23)]
sweep("stream", "elements", SIZES, additions, wait=ready,
      operations=lambda size: size, traffic=lambda size: 12 * size)


# %% product
def products(width):
    a, b = tf.random.uniform([width, width]), tf.random.uniform([width, width])
    return {"product": lambda: a @ b}


sweep("product", "width", [16, 64, 256, 1024], products, wait=ready,
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


# %% gather
def gathers(length):
    table = tf.random.uniform([length])
    in_order = tf.range(length)
    shuffled = tf.random.shuffle(in_order)
    return {"in order": lambda: tf.gather(table, in_order),
            "shuffled": lambda: tf.gather(table, shuffled)}


sweep("gather", "elements", [2**12, 2**17, 2**22], gathers, wait=ready)

# %% precision
double = tf.random.uniform([1024, 1024], dtype=tf.float64)
single = tf.cast(double, tf.float32)

compare("precision", float64=lambda: double @ double,
        float32=lambda: single @ single, wait=ready)
