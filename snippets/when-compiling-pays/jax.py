# /// polytab
# measures = true
# ///

# %% formula
import time
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import export
from jax.experimental import serialize_executable
from jax.experimental.compilation_cache import compilation_cache

from measure import compare, sweep, taken
from peak import peak

# Keep the paths of this machine out of what is printed below.
jax.config.update("jax_traceback_in_locations_limit", 0)
ready = jax.block_until_ready


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + jnp.tanh(inner))


def rand(*shape, seed=0):
    return jax.random.normal(jax.random.key(seed), shape)


compiled = jax.jit(gelu)


# %% ahead
def new_network(depth=4, width=256):
    keys = jax.random.split(jax.random.key(0), depth)
    scale = jnp.sqrt(2 / width)
    return [(scale * jax.random.normal(key, (width, width)),
             jnp.zeros(width)) for key in keys]


def network(params, x):
    for weight, bias in params:
        x = gelu(x @ weight + bias)
    return x


params = new_network()
x = rand(64, 256)
shapes = jax.eval_shape(lambda *inputs: inputs, params, x)
lowered = jax.jit(network).lower(*shapes)
program = lowered.compile()
print(type(lowered).__name__, "->", type(program).__name__)
print("same:", jnp.allclose(program(params, x), network(params, x), atol=1e-5))
try:
    program(params, x[:5])
except TypeError as error:
    print(type(error).__name__, "-", str(error).splitlines()[-1])

# %% ahead-saved varies="sizes" why="the machine code depends on the processor"
graph = export.export(jax.jit(network))(*shapes).serialize()
code, in_tree, out_tree = serialize_executable.serialize(program)
for name, saved in [("graph", graph), ("executable", code)]:
    print(f"{name}: {len(saved)} bytes, ELF {b'ELF' in saved},"
          f" StableHLO {b'StableHLO' in saved}")
loaded = serialize_executable.deserialize_and_load(code, in_tree, out_tree)
print("same:", jnp.array_equal(loaded(params, x), program(params, x)))

# %% ahead-time
fresh = jax.jit(lambda params, x: network(params, x))

compare("ahead", just_in_time=lambda: fresh(params, x),
        ahead_of_time=lambda: program(params, x), wait=ready)

# %% cache varies="bytes" why="the machine code depends on the processor"
jax.config.update("jax_compilation_cache_dir", "cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)


def first_call():
    jax.clear_caches()
    start = time.perf_counter()
    ready(jax.jit(network)(params, x))
    return time.perf_counter() - start


first_call()
for path in sorted(Path("cache").iterdir()):
    print(path.name.split("-")[0], path.name.split("-")[-1],
          path.stat().st_size, "bytes")

# %% cache-time
with_files = [first_call() for _ in range(6)]
jax.config.update("jax_compilation_cache_dir", None)
compilation_cache.reset_cache()
without_files = [first_call() for _ in range(6)]

taken("cache", without=without_files, with_files=with_files)


# %% first-call
def networks(depth=4, width=256, batch=64):
    jax.clear_caches()  # so that the first call compiles
    params, x = new_network(depth, width), rand(batch, width)
    compiled = jax.jit(network)
    return {"eager": lambda: network(params, x),
            "compiled": lambda: compiled(params, x)}


sweep("depth", "layers", [1, 4, 16], networks, wait=ready, first=True)

# %% memory
many = rand(2**22)


def most_memory(run):
    return peak(lambda: ready(run()))


# What Linux counts holds nothing of a GPU.
on_cpu = jax.default_backend() == "cpu"
compare("memory", eager=lambda: gelu(many), compiled=lambda: compiled(many),
        wait=ready, memory=most_memory if on_cpu else None)

# %% pays-batch
sweep("batch", "batch size", [1, 8, 64, 512],
      lambda batch: networks(batch=batch), wait=ready)

# %% pays-width
sweep("width", "width", [64, 256, 1024],
      lambda width: networks(width=width), wait=ready)


# %% break-even
def by_batch(batch):
    return networks(batch=batch)


sweep("break-even", "batch size", [1, 64], by_batch, wait=ready, first=True)



# %% step
def loss(params, x):
    return (network(params, x)**2).mean()


def update(params, x):
    gradients = jax.grad(loss)(params, x)
    return jax.tree.map(lambda old, slope: old - 0.01 * slope,
                        params, gradients)


params, x = new_network(), rand(64, 256)
step = jax.jit(update)

compare("step", eager=lambda: update(params, x),
        compiled=lambda: step(params, x), wait=ready)
