# /// polytab
# measures = true
# ///

# %% formula
import os
import pickle
from functools import cache
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import export
from jax.experimental import serialize_executable

from first_calls import seconds_of_first_call
from measure import compare, sweep, taken
from peak import peak

# Keep the paths of this machine out of what is printed below.
jax.config.update("jax_traceback_in_locations_limit", 0)
ready = jax.block_until_ready


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + jnp.tanh(inner))


def library(x):
    return jax.nn.gelu(x)


def rand(*shape, seed=0):
    return jax.random.normal(jax.random.key(seed), shape)


# %% network
def new_params(widths=(256,) * 5):
    keys = jax.random.split(jax.random.key(0), len(widths) - 1)
    return [(jnp.sqrt(2 / rows) * jax.random.normal(key, (rows, columns)),
             jnp.zeros(columns))
            for key, rows, columns in zip(keys, widths, widths[1:])]


def with_activation(activation):
    def network(params, x):
        for weight, bias in params:
            x = activation(x @ weight + bias)
        return x

    return network


formula, network = with_activation(gelu), with_activation(library)
params, x = new_params(), rand(64, 256)
same = jnp.allclose(network(params, x), formula(params, x), atol=1e-5)
print("close:", same)


# %% batch
def networks(batch=64, width=256):
    params, x = new_params([width] * 5), rand(batch, width)
    compiled = jax.jit(network)
    return {"library": lambda: network(params, x),
            "library compiled": lambda: compiled(params, x)}


def by_batch(batch):
    narrow, x = new_params([8] * 5), rand(batch, 8)
    return networks(batch) | {"narrow": lambda: network(narrow, x)}


sweep("batch", "batch size", [1, 512], by_batch, wait=ready)

# %% width
linear = with_activation(lambda x: x)


def by_width(width):
    params, x = new_params([width] * 5), rand(64, width)
    return networks(width=width) | {"products": lambda: linear(params, x)}


sweep("width", "width", [64, 1024], by_width, wait=ready)

# %% memory
many = rand(2**22)
compiled = jax.jit(gelu)


def most_memory(run):
    return peak(lambda: ready(run()))


# What Linux counts holds nothing of a GPU.
on_cpu = jax.default_backend() == "cpu"
compare("memory", eager=lambda: gelu(many), library=lambda: library(many),
        compiled=lambda: compiled(many),
        wait=ready, memory=most_memory if on_cpu else None)


# %% first-calls
def deep(widths):
    params, x = new_params(widths), rand(64, widths[0])
    compiled = jax.jit(network)
    return lambda: compiled(params, x)


def first_call(folder, widths):
    """Call it in a new process, which keeps in a folder what it compiles."""
    traced = jax.make_jaxpr(network)(new_params(widths), rand(64, widths[0]))
    print(len(widths) - 1, "layers, operations:", len(traced.eqns))
    return [seconds_of_first_call(deep, widths, wait=ready, variables={
        "JAX_COMPILATION_CACHE_DIR": os.path.abspath(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"})]


alike = [256] * 9
unlike = [216, 224, 232, 240, 248, 256, 264, 272, 280]
taken("first calls", one_layer=first_call("one", [256] * 2),
      eight_alike=first_call("alike", alike),
      eight_unlike=first_call("unlike", unlike),
      found_on_disk=first_call("unlike", unlike))

# %% cache varies="bytes" why="the machine code depends on the processor"
for path in sorted(Path("unlike").glob("jit_network-*-cache")):
    print(path.name.split("-")[0], path.stat().st_size, "bytes")

# %% ahead
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
with open("executable", "wb") as file:
    pickle.dump((code, in_tree, out_tree), file)


# %% ways
@cache
def from_file():
    return serialize_executable.deserialize_and_load(
        *pickle.loads(Path("executable").read_bytes()))


def ways():
    params, x = new_params(), rand(64, 256)
    compiled = jax.jit(network)
    return {"eager": lambda: formula(params, x),
            "library": lambda: network(params, x),
            "just in time": lambda: compiled(params, x),
            "from file": lambda: from_file()(params, x)}


compilations = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, _, **about: compilations.append(event)
    if event.endswith("backend_compile_duration") else None)
rows = ready(rand(65, 256))
for call in ("first", "second"):
    compilations.clear()
    network(params, rows)
    print(call, "eager call with 65 rows, compiled:", len(compilations))

compare("ways", ways, wait=ready,
        first=["library", "just in time", "from file"])
