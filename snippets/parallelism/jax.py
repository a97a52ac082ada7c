# /// polytab
# measures = true
# timeout = 600
# ///

# %% settings
import jax

# This goes before the first array: then JAX starts its devices.
jax.config.update("jax_num_cpu_devices", 2)
print(jax.devices())

# %% product
from processes import compare_processes


def product():
    import jax
    import jax.numpy as jnp

    a = jnp.ones((1000, 1000))
    dot = jax.jit(lambda a: a @ a)
    return lambda: dot(a).block_until_ready()


eigen = {"PJRT_NPROC": "2", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
compare_processes("product", {
    "one thread": (product, {"PJRT_NPROC": "1"}),
    "two threads": (product, {"PJRT_NPROC": "2"}),
    "eight threads": (product, {"PJRT_NPROC": "8"}),
    "Eigen flag": (product, eigen)},
    threads="how many there are is compared")


# %% small
def small():
    import jax
    import jax.numpy as jnp

    a = jnp.ones((16, 16))
    tanh = jax.jit(jnp.tanh)

    def run():
        y = a
        for _ in range(1000):
            y = tanh(y)
        return y.block_until_ready()
    return run


compare_processes("small", {
    "one thread": (small, {"PJRT_NPROC": "1"}),
    "two threads": (small, {"PJRT_NPROC": "2"})},
    threads="how many there are is compared")


# %% branches
def branches(kind):
    import jax
    import jax.numpy as jnp
    import numpy as np

    values = np.random.default_rng(0).normal(size=(2, 8, 256, 256)) / 16
    weights = [[jnp.asarray(each, "float32") for each in part]
               for part in values]
    x = weights[0][0]

    def branch(x, weights):
        for weight in weights:
            x = jnp.tanh(x @ weight)
        return x

    one = jax.jit(branch)
    both = jax.jit(lambda x, weights: [branch(x, each) for each in weights])
    runs = {
        "program": lambda: jax.block_until_ready(both(x, weights)),
        "calls": lambda: jax.block_until_ready(
            [one(x, each) for each in weights]),
        "waits": lambda: [
            one(x, each).block_until_ready() for each in weights]}
    return runs[kind]


# %% branches-time
compare_processes("branches", {
    "in turn": (branches, {"PJRT_NPROC": "1"}, "waits"),
    "two threads inside": (branches, {"PJRT_NPROC": "2"}, "waits"),
    "at once": (branches, {"PJRT_NPROC": "2"}, "program"),
    "two calls": (branches, {"PJRT_NPROC": "2"}, "calls")},
    threads="both cores are used, in another way")

# %% devices
import jax.numpy as jnp

a = jax.device_put(jnp.ones((2, 2)), jax.devices()[0])
b = jax.device_put(a, jax.devices()[1])
print(a.devices(), b.devices())
print((b @ b).devices())

# %% mixed raises="ValueError"
a + b

# %% data-parallel
from jax.sharding import NamedSharding, PartitionSpec

from measure import compare

keys = jax.random.split(jax.random.key(0), 4)
x = jax.random.normal(keys[0], (1024, 256))
y = jax.random.normal(keys[1], (1024, 1))
parameters = {"hidden": jax.random.normal(keys[2], (256, 512)) / 16,
              "out": jax.random.normal(keys[3], (512, 1)) / 16}


def loss(parameters, x, y):
    hidden = jnp.tanh(x @ parameters["hidden"])
    return jnp.mean((hidden @ parameters["out"] - y) ** 2)


@jax.jit
def step(parameters, x, y):
    gradients = jax.grad(loss)(parameters, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)


mesh = jax.make_mesh((2,), ("batch",))
split = NamedSharding(mesh, PartitionSpec("batch"))
whole = NamedSharding(mesh, PartitionSpec())
on_two = (jax.device_put(parameters, whole),
          jax.device_put(x, split), jax.device_put(y, split))

alone, shared = step(parameters, x, y), step(*on_two)
far = jax.tree.map(lambda a, b: abs(jax.device_get(a) - jax.device_get(b))
                   .max(), alone, shared)
print("same weights:", max(far.values()) < 1e-6)
for part in on_two[1].addressable_shards:
    print(part.device, part.data.shape)

# %% all-reduce
text = step.lower(*on_two).compile().as_text()
print("all-reduce in the program:", "all-reduce" in text)

# %% step
compare("step",
        one_device=lambda: step(parameters, x, y),
        two_devices=lambda: step(*on_two),
        wait=jax.block_until_ready)

# %% copy
here, there = jax.devices()
a = jax.device_put(jnp.ones((600, 600)) / 600, here)
source = jax.device_put(jnp.ones((4000, 4000)), here)


def fresh():
    @jax.jit
    def compute(a):
        y = a
        for _ in range(3):
            y = jnp.tanh(y @ a)
        return y

    def in_turn():
        copy = jax.device_put(source, there).block_until_ready()
        return compute(a), copy

    def at_once():
        copy = jax.device_put(source, there)
        return compute(a), copy

    return in_turn, at_once


# %% cold
import time

from measure import taken

first, second = [], []
for _ in range(3):
    in_turn, at_once = fresh()
    for times in (first, second):
        start = time.perf_counter()
        jax.block_until_ready(in_turn())
        times.append(time.perf_counter() - start)

taken("cold", first=first, second=second)

# %% overlap
in_turn, at_once = fresh()
compare("overlap", in_turn=in_turn, at_once=at_once,
        wait=jax.block_until_ready)

# %% streams
print(jax.default_backend())
