# %% net
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import export


def get_net(seed=0):
    """Return the perceptron, a pure function, and its parameters."""
    he_normal = jax.nn.initializers.he_normal()
    keys = jax.random.split(jax.random.key(seed), 3)
    params = {}
    for i, shape in enumerate([(512, 256), (256, 128), (128, 2)]):
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

# %% program
# Plain text, without the colors of a terminal.
jax.config.update("jax_pprint_use_color", False)

compiled_net = jax.jit(net)
print(jax.make_jaxpr(net)(params, x))


# %% trace
@jax.jit
def double(a):
    print("tracing with", a)
    jax.debug.print("running with {}", a)
    return 2 * a


for value in [jnp.array([1.0]), jnp.array([2.0]), jnp.array([3.0, 4.0])]:
    double(value)
    # Wait for the messages of the running program.
    jax.effects_barrier()

# %% frozen
scale = 10.0


@jax.jit
def scale_and_draw(a):
    return scale * a, np.random.normal(size=2)


first, first_noise = scale_and_draw(1.0)
scale = 1000.0
second, second_noise = scale_and_draw(1.0)
print("scaled:", first, second)
print("same random numbers:", jnp.array_equal(first_noise, second_noise))


# %% branch raises="TracerBoolConversionError"
def flip(a):
    if a.sum() > 0:
        return a
    return -a


print("op by op:", flip(jnp.array([-1.0, -2.0])))
jax.jit(flip)(jnp.array([-1.0, -2.0]))


# %% branch-right
@jax.jit
def flip_cond(a):
    return jax.lax.cond(a.sum() > 0, lambda a: a, lambda a: -a, a)


print(flip_cond(jnp.array([1.0, 2.0])))
print(flip_cond(jnp.array([-1.0, -2.0])))


# %% branch-static
@jax.jit(static_argnames="negate")
def flip_static(a, negate):
    print("tracing with negate =", negate)
    if negate:
        return -a
    return a


for negate in [True, False, True]:
    print(flip_static(jnp.array([1.0, 2.0]), negate=negate))


# %% loop
def power(a, n):
    result = jnp.ones_like(a)
    for _ in range(n):
        result = result * a
    return result


print(jax.make_jaxpr(power, static_argnums=1)(2.0, 4))
for n in [2, 4, 8]:
    jaxpr = jax.make_jaxpr(power, static_argnums=1)(2.0, n)
    print(n, "rounds:", len(jaxpr.eqns), "equations")

# %% loop-traced raises="TracerIntegerConversionError"
# Without static_argnums, the number of rounds is a traced value too.
jax.jit(power)(2.0, 4)


# %% loop-right
def power_loop(a, n):
    def multiply(i, result):
        return result * a

    return jax.lax.fori_loop(0, n, multiply, jnp.ones_like(a))


print([float(jax.jit(power_loop)(2.0, n)) for n in [2, 4, 8]])
print(jax.make_jaxpr(power_loop)(2.0, 4))


# %% in-place raises="TypeError"
@jax.jit
def set_first(a):
    a[0] = 5
    return a


set_first(jnp.zeros(3))


# %% in-place-right
@jax.jit
def set_first_right(a):
    return a.at[0].set(5)


zeros = jnp.zeros(3)
print("result:", set_first_right(zeros))
print("argument:", zeros)


# %% bounds
def read(a, i):
    return a[i]


def write(a, i):
    return a.at[i].set(5)


def read_or_nan(a, i):
    return a.at[i].get(mode="fill", fill_value=jnp.nan)


# There is no element 7.
three = jnp.array([1.0, 2.0, 3.0])
print("read:", jax.jit(read)(three, 7))
print("write:", jax.jit(write)(three, 7))
print("read, not compiled:", read(three, 7))
print("read with a fill value:", jax.jit(read_or_nan)(three, 7))


# %% numpy raises="TracerArrayConversionError"
@jax.jit
def normalize(a):
    # NumPy passes this on to a.sum(), which can be traced.
    print(np.sum(a))
    return a / np.asarray(a).sum()


normalize(jnp.array([1.0, 3.0]))


# %% numpy-right
def count_distinct(a):
    return np.int32(len(np.unique(a)))


@jax.jit
def distinct_share(a):
    # The program must know the shape and type of what will come back.
    result = jax.ShapeDtypeStruct((), jnp.int32)
    return jax.pure_callback(count_distinct, result, a) / a.size


print(distinct_share(jnp.array([1, 2, 2, 3])))
print(distinct_share(jnp.array([1, 1, 1, 1])))

# %% export
# Keep the paths of this machine's source files out of the program.
jax.config.update("jax_traceback_in_locations_limit", 0)

(batch,) = export.symbolic_shape("batch")
inputs = jax.ShapeDtypeStruct((batch, 512), x.dtype)
exported = export.export(jax.jit(net))(params, inputs)
Path("net.jax").write_bytes(exported.serialize())
np.savez("net.npz", **params)

# %% load
program = export.deserialize(Path("net.jax").read_bytes())
with np.load("net.npz") as arrays:
    weights = dict(arrays)

print(program.in_avals[-1], "->", program.out_avals[0])
print(program.call(weights, x))
print("same result:", jnp.allclose(program.call(weights, x), net(params, x)))
print("batch of 3:", program.call(weights, jnp.ones((3, 512))).shape)

# %% try-it
known = jax.jit(jax.grad(power_loop), static_argnums=1)
print("a number:", known(2.0, 4))
try:
    jax.jit(jax.grad(power_loop))(2.0, 4)
except ValueError as error:
    print("traced:", str(error).split(". ")[0])
