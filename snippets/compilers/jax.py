# /// polytab
# measures = true
# ///

# %% net
import os

# Stay on one core: on two, processes differ much in their small calls.
if hasattr(os, "sched_setaffinity"):  # as on Linux
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])

import jax
import jax.numpy as jnp

from measure import compare


def get_net(inputs=512, first=256, second=128):
    """Return the perceptron, a pure function, and its parameters."""
    he_normal = jax.nn.initializers.he_normal()
    keys = jax.random.split(jax.random.key(0), 3)
    shapes = [(inputs, first), (first, second), (second, 2)]
    params = {}
    for i, shape in enumerate(shapes):
        params[f"w{i}"] = he_normal(keys[i], shape)
        params[f"b{i}"] = jnp.zeros(shape[1])

    def net(params, x):
        x = jnp.maximum(x @ params["w0"] + params["b0"], 0)
        x = jnp.maximum(x @ params["w1"] + params["b1"], 0)
        return x @ params["w2"] + params["b2"]

    return net, params


net, params = get_net()
x = jax.random.normal(jax.random.key(1), (1, 512))
net(params, x)

# %% compile
compiled_net = jax.jit(net)
y = compiled_net(params, x)
print(y)
print("same result:", jnp.allclose(y, net(params, x)))

# %% forward
def forward_cases():
    compiled = jax.jit(net)
    return {
        "eager": lambda: net(params, x),
        "compiled": lambda: compiled(params, x),
    }


compare("forward", forward_cases, wait=jax.block_until_ready, first=True)

# %% narrow
_, small = get_net(8, 4, 2)
few = jax.random.normal(jax.random.key(2), (1, 8))
compare(
    "narrow",
    {
        "eager": lambda: net(params, x),
        "narrow eager": lambda: net(small, few),
        "compiled": lambda: compiled_net(params, x),
        "narrow compiled": lambda: compiled_net(small, few),
    },
    wait=jax.block_until_ready,
)
