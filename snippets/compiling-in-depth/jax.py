# /// polytab
# measures = true
# ///

# %% chain
import re
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

from measure import compare, sweep, taken

# Keep the paths of this machine out of what is printed below.
jax.config.update("jax_traceback_in_locations_limit", 0)
ready = jax.block_until_ready


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + jnp.tanh(inner))


def library(x):
    return jax.nn.gelu(x, approximate=True)


def rand(*shape, seed=0):
    return jax.random.normal(jax.random.key(seed), shape)


x = rand(4096)
compiled, library_compiled = jax.jit(gelu), jax.jit(library)
print("library:", len(jax.make_jaxpr(library)(x).eqns), "operations")
print("library close:", jnp.allclose(library(x), gelu(x), atol=1e-6))
print("compiled close:", jnp.allclose(compiled(x), gelu(x), atol=1e-6))


# %% fused
def optimised(function, *args):
    """Return the instructions that XLA has made of a function."""
    text = jax.jit(function).lower(*args).compile().as_text()
    text = re.sub(r", metadata={[^}]*}", "", text)
    return text[text.index("%fused"):].strip()


print(optimised(gelu, x))


# %% chain-time
def chains(size):
    x = rand(size)
    return {"eager": lambda: gelu(x), "compiled": lambda: compiled(x),
            "library": lambda: library(x),
            "library compiled": lambda: library_compiled(x),
            "one addition": lambda: x + 1}


sweep("chain", "elements", [8, 2**22], chains, wait=ready)


# %% kernels
def normalised(x):
    centred = x - x.mean(axis=1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(axis=1, keepdims=True))


weight, bias = rand(256, 256, seed=1), rand(256, seed=2)


def linear(x):
    return jnp.tanh(x @ weight + bias)


def show_kernels(name, function, *args):
    text = optimised(function, *args)
    main = text[text.index("ENTRY"):]
    kernels = re.findall(r"%([\w.]+) = .*? (?:fusion|custom-call)\(", main)
    print(f"{name}: {len(kernels)}", *kernels, sep="\n  ")


rows = rand(64, 256)
show_kernels("elementwise", gelu, rows)
show_kernels("normalised", normalised, rows)
show_kernels("linear", linear, rows)


# %% guards
@jax.jit(static_argnames="power")
def scaled(x, factor, power=1):
    print("  tracing", x.aval, factor.aval, "power", power)
    return factor * x**power


three = jnp.ones(3)
calls = {
    "float32": (three, jnp.float32(2)),
    "a Python number": (three, 2.0),
    "another one": (three, 3.0),
    "float16": (three.astype(jnp.float16), 2.0),
    "another shape": (jnp.ones(4), 2.0),
    "static 2": (three, 2.0, 2),
    "static 2 again": (three, 2.0, 2),
}
for name, args in calls.items():
    print(name)
    scaled(*args)

# %% stale
settings = {"factor": 10.0}


class Scale:
    factor = 10.0

    @jax.jit(static_argnums=0)
    def __call__(self, x):
        return self.factor * x


@jax.jit
def from_settings(x):
    return settings["factor"] * x


@jax.jit
def from_argument(x, factor):
    return factor * x


scale = Scale()
print(scale(1.0), from_settings(1.0), from_argument(1.0, 10.0))
scale.factor = settings["factor"] = 1000.0
print(scale(1.0), from_settings(1.0), from_argument(1.0, 1000.0))

# %% shapes
w = rand(64, 64, seed=3)
traces = []


def score(x):
    return jnp.tanh(x @ w).mean(axis=0)


@jax.jit
def fixed(x):
    traces.append(x.shape)  # Python runs only while the function is traced.
    return score(x)


ROWS = [5, 9, 14, 23, 5]
for rows in ROWS:
    fixed(rand(rows, 64))
    print(f"{rows:2} rows, programs so far: {len(traces)}")

# %% shapes-open
(n,) = export.symbolic_shape("n")
traces.clear()
exported = export.export(fixed)(jax.ShapeDtypeStruct((n, 64), w.dtype))
print("traced with", *traces)

compilations = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, _, **about: compilations.append(event)
    if event.endswith("backend_compile_duration") else None)
opened = jax.jit(exported.call)
for rows in ROWS:
    x = ready(rand(rows, 64))
    compilations.clear()
    opened(x)
    print(f"{rows:2} rows, traced so far: {len(traces)},"
          f" compiled now: {len(compilations)}")


# %% bucket
@jax.jit
def masked_score(x, rows):
    traces.append(x.shape)
    real = jnp.arange(x.shape[0])[:, None] < rows
    return jnp.where(real, jnp.tanh(x @ w), 0).sum(axis=0) / rows


def padded(x):
    # By NumPy: jnp.pad would be compiled for each size that it meets.
    size = max(8, 1 << (len(x) - 1).bit_length())
    return np.pad(x, ((0, size - len(x)), (0, 0)))


traces.clear()
for rows in ROWS:
    x = rand(rows, 64)
    same = jnp.allclose(masked_score(padded(x), rows), score(x), atol=1e-6)
    print(f"{rows:2} rows, programs so far: {len(traces)}, right: {same}")
wrong = score(padded(x))
print("right without a mask:", jnp.allclose(wrong, score(x), atol=1e-6))


# %% new-size
def padding(x):
    return masked_score(padded(x), len(x))


def seconds(function, x):
    start = time.perf_counter()
    ready(function(x))
    return time.perf_counter() - start


# Each has been compiled and called before, for one size.
x = ready(rand(128, 64))
for function in (fixed, opened, padding):
    for _ in range(3):
        ready(function(x))

new = {"fixed": [], "open": [], "padded": [], "known size": []}
for rows in (70, 80, 90, 100, 110, 120):  # All are padded to 128 rows.
    x = ready(rand(rows, 64))
    new["fixed"].append(seconds(fixed, x))
    new["open"].append(seconds(opened, x))
    new["padded"].append(seconds(padding, x))
    new["known size"].append(seconds(fixed, x))

taken("new size", **new)

# %% shapes-time
x = rand(100, 64)

compare("shapes", eager=lambda: score(x), fixed=lambda: fixed(x),
        open=lambda: opened(x), padded=lambda: padding(x), wait=ready)

# %% breaks
seen = []


def watched(x, activation=gelu):
    y = activation(x)
    seen.append(float(y.max()))
    return jnp.tanh(y) * 2 + 1


x = rand(2**16)
try:
    jax.jit(watched)(x)
except jax.errors.ConcretizationTypeError as error:
    print(str(error).splitlines()[0])


@jax.jit
def before(x):
    y = gelu(x)
    return y, y.max()


@jax.jit
def after(y):
    return jnp.tanh(y) * 2 + 1


def broken(x):
    y, largest = before(x)
    seen.append(float(largest))
    return after(y)


print("same:", jnp.allclose(broken(x), watched(x), atol=1e-6))


# %% breaks-mended
@jax.jit
def whole(x):
    y = gelu(x)
    return jnp.tanh(y) * 2 + 1, y.max()


result, largest = whole(x)
seen.append(float(largest))
print("same:", jnp.allclose(result, watched(x), atol=1e-6))
show_kernels("before", before, x)
show_kernels("after", after, x)
show_kernels("whole", whole, x)


# %% breaks-time
def wholly(x):
    result, largest = whole(x)
    seen.append(float(largest))
    return result


def variants(size):
    x = rand(size)
    return {"eager": lambda: watched(x),
            "library": lambda: watched(x, library),
            "broken": lambda: broken(x), "whole": lambda: wholly(x)}


sweep("breaks", "elements", [8, 2**20], variants, wait=ready)
