# /// polytab
# measures = true
# timeout = 600
# gpus = 2
# ///

# %% settings
import jax

# This goes before the first array: then JAX starts its devices.
jax.config.update("jax_num_cpu_devices", 2)
print(jax.devices())

# %% product
from processes import compare_processes


def products(rows, times):
    import jax
    import jax.numpy as jnp

    a = jnp.full((rows, rows), 1 / rows)
    dot = jax.jit(jnp.dot)

    def run():
        y = a
        for _ in range(times):
            y = dot(y, a)
        return y.block_until_ready()
    return run


def threads(number):
    return {"PJRT_NPROC": number}


compare_processes("product", {
    "large on one thread": (products, threads("1"), 1000, 1),
    "large on two threads": (products, threads("2"), 1000, 1),
    "small on one thread": (products, threads("1"), 100, 1000),
    "small on two threads": (products, threads("2"), 100, 1000)},
    threads="how many there are is compared")


# %% branches
def branches(kind, width, depth):
    import jax
    import jax.numpy as jnp

    keys = jax.random.split(jax.random.key(0), 2)
    weights = [[each / width ** 0.5 for each in jax.random.normal(
        key, (depth, width, width))] for key in keys]
    x = weights[0][0]

    def branch(x, weights):
        for weight in weights:
            x = jnp.tanh(x @ weight)
        return x

    one = jax.jit(branch)
    both = jax.jit(lambda x, weights: [branch(x, each) for each in weights])
    runs = {
        "in turn": lambda: [
            one(x, each).block_until_ready() for each in weights],
        "one program": lambda: jax.block_until_ready(both(x, weights)),
        "two calls": lambda: jax.block_until_ready(
            [one(x, each) for each in weights])}
    return runs[kind]


# %% branches-time
wide = 512, 8
compare_processes("branches", {
    "one core": (branches, threads("1"), "in turn", *wide),
    "divided": (branches, threads("2"), "in turn", *wide),
    "at once": (branches, threads("2"), "one program", *wide),
    "two calls": (branches, threads("2"), "two calls", *wide)},
    threads="one core is compared with two, used in three ways")

# %% small-branches
narrow = 64, 64
compare_processes("small-branches", {
    "one core": (branches, threads("1"), "in turn", *narrow),
    "divided": (branches, threads("2"), "in turn", *narrow),
    "at once": (branches, threads("2"), "one program", *narrow)},
    threads="one core is compared with two, used in two ways")

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
parameters = {"hidden": jax.random.normal(keys[0], (256, 512)) / 16,
              "out": jax.random.normal(keys[1], (512, 1)) / 16}


def data(examples):
    return (jax.random.normal(keys[2], (examples, 256)),
            jax.random.normal(keys[3], (examples, 1)))


def loss(parameters, x, y):
    hidden = jnp.tanh(x @ parameters["hidden"])
    return jnp.mean((hidden @ parameters["out"] - y) ** 2)


def descend(parameters, x, y):
    gradients = jax.grad(loss)(parameters, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)


step = jax.jit(descend)
mesh = jax.make_mesh((2,), ("batch",))
split = NamedSharding(mesh, PartitionSpec("batch"))
whole = NamedSharding(mesh, PartitionSpec())


def on_two(x, y):
    return (jax.device_put(parameters, whole),
            jax.device_put(x, split), jax.device_put(y, split))


alone, shared = step(parameters, *data(1024)), step(*on_two(*data(1024)))
far = jax.tree.map(lambda a, b: abs(jax.device_get(a) - jax.device_get(b))
                   .max(), alone, shared)
print("same weights:", max(far.values()) < 1e-6)
for part in on_two(*data(1024))[1].addressable_shards:
    print(part.device, part.data.shape)

# %% all-reduce
text = step.lower(*on_two(*data(1024))).compile().as_text()
print("all-reduce in the program:", "all-reduce" in text)


# %% step
def apart(parameters, x, y):
    # Each device keeps what it has made of its part.
    own = descend(parameters, x, y)
    return jax.tree.map(lambda each: each[None], own)


not_averaged = jax.jit(jax.shard_map(
    apart, mesh=mesh, check_vma=False, out_specs=PartitionSpec("batch"),
    in_specs=(PartitionSpec(), *[PartitionSpec("batch")] * 2)))


def steps(examples):
    one = parameters, *data(examples)
    two = on_two(*data(examples))
    return {"one device": lambda: step(*one),
            "two devices": lambda: step(*two),
            "not averaged": lambda: not_averaged(*two)}


compare("step", steps(2048), wait=jax.block_until_ready)

# %% small-step
compare("small-step", steps(64), wait=jax.block_until_ready)

# %% layer
# By default JAX asks how the result of a divided product is to lie.
mesh = jax.make_mesh((2,), ("hidden",),
                     axis_types=(jax.sharding.AxisType.Auto,))
x, _ = data(64)
hidden, out = parameters["hidden"], parameters["out"]
columns = jax.device_put(
    hidden, NamedSharding(mesh, PartitionSpec(None, "hidden")))
rows = jax.device_put(
    out, NamedSharding(mesh, PartitionSpec("hidden", None)))
net = jax.jit(lambda x, hidden, out: jnp.tanh(x @ hidden) @ out)

on_all = jax.device_put(x, NamedSharding(mesh, PartitionSpec()))
print("of the weights:", columns.addressable_shards[0].data.shape,
      rows.addressable_shards[0].data.shape)
y = jax.device_get(net(on_all, columns, rows))
print("same result:", bool(abs(y - net(x, hidden, out)).max() < 1e-4))
text = net.lower(on_all, columns, rows).compile().as_text()
print("all-reduce in the program:", "all-reduce" in text)


# %% copy
def overlap(kind, cores):
    import os

    # With two devices JAX has two threads at least, whatever it is told.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_num_cpu_devices", 2)
    here, there = jax.devices()[:2]
    a = jax.device_put(jnp.full((600, 600), 1 / 600), here)
    source = jax.device_put(jnp.ones((4000, 4000)), here)

    @jax.jit
    def compute(a):
        y = a
        for _ in range(3):
            y = jnp.tanh(y @ a)
        return y

    def run():
        copy = jax.device_put(source, there)
        if kind != "at once":
            copy.block_until_ready()
        if kind == "copy":
            return copy
        return jax.block_until_ready((compute(a), copy))
    return run


# %% overlap
compare_processes("overlap", {
    "copy on one core": (overlap, {}, "copy", 1),
    "copy on two cores": (overlap, {}, "copy", 2),
    "one core": (overlap, {}, "in turn", 1),
    "in turn": (overlap, {}, "in turn", 2),
    "at once": (overlap, {}, "at once", 2)},
    threads="one core is compared with two")

# %% streams
print(jax.default_backend())
