# /// polytab
# measures = true
# ///

# %% net
import keras
import numpy as np
import tensorflow as tf

from measure import compare


def get_net(inputs=512, first=256, second=128):
    return keras.Sequential(
        [
            keras.Input((inputs,)),
            keras.layers.Dense(first, activation="relu"),
            keras.layers.Dense(second, activation="relu"),
            keras.layers.Dense(2),
        ]
    )


keras.utils.set_random_seed(0)
net = get_net()
x = tf.random.normal((1, 512))
print(net(x))

# %% compile
compiled = tf.function(net)
print(compiled(x))
print("same:", np.allclose(net(x), compiled(x), atol=1e-5))

# %% forward
gpus = tf.config.list_physical_devices("GPU")


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


def forward_cases():
    compiled = tf.function(net)
    xla = tf.function(net, jit_compile=True)
    w0, b0, w1, b1, w2, b2 = (each.value for each in net.weights)

    def operations():
        h = tf.nn.relu(tf.matmul(x, w0) + b0)
        h = tf.nn.relu(tf.matmul(h, w1) + b1)
        return tf.matmul(h, w2) + b2

    return {
        "eager": lambda: net(x),
        "compiled": lambda: compiled(x),
        "XLA": lambda: xla(x),
        "operations": operations,
    }


compare("forward", forward_cases, wait=ready, first=["compiled"])

# %% narrow
narrow = get_net(8, 4, 2)
few = tf.random.normal((1, 8))
compiled_narrow = tf.function(narrow)
compare(
    "narrow",
    {
        "eager": lambda: net(x),
        "narrow eager": lambda: narrow(few),
        "compiled": lambda: compiled(x),
        "narrow compiled": lambda: compiled_narrow(few),
    },
    wait=ready,
)
