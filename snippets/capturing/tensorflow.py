# %% net
from collections import Counter

import keras
import numpy as np
import tensorflow as tf


def get_net():
    return keras.Sequential(
        [
            keras.Input((512,)),
            keras.layers.Dense(256, activation="relu"),
            keras.layers.Dense(128, activation="relu"),
            keras.layers.Dense(2),
        ]
    )


keras.utils.set_random_seed(0)
net = get_net()
x = tf.random.normal((1, 512))
net(x)

# %% program
compiled = tf.function(net)
program = compiled.get_concrete_function(tf.TensorSpec((None, 512)))
for op in program.graph.get_operations():
    # Placeholders, for x and for each weight, have no inputs of their own.
    if op.inputs:
        print(op.type, "<-", ", ".join(t.op.type for t in op.inputs))
print("weights captured:", len(program.captured_inputs))


# %% trace
@tf.function
def double(a):
    print("print: tracing for", a.shape)
    tf.print("tf.print: called with", a)
    return a * 2


for values in ([1.0], [2.0], [3.0, 4.0], [5.0, 6.0]):
    double(tf.constant(values))

# %% stale
scale = 2.0


@tf.function
def scaled(a):
    return a * scale


print(scaled(tf.constant(10.0)).numpy())
scale = 3.0
print(scaled(tf.constant(10.0)).numpy())

# %% numpy-frozen
one = tf.constant(1.0)


@tf.function
def noisy(a):
    return a + np.random.default_rng().normal()


@tf.function
def noisy_right(a):
    return a + tf.random.normal(())


for f in (noisy, noisy_right):
    print("two calls agree:", bool(f(one) == f(one)))


# %% branch
def absolute(a):
    if a > 0:
        print("tracing the first branch")
        b = a
    else:
        print("tracing the second branch")
        b = -a
    return b


f = tf.function(absolute)
print(f(tf.constant(3.0)).numpy())
print(f(tf.constant(-4.0)).numpy())
ops = f.get_concrete_function(tf.constant(0.0)).graph.get_operations()
print([op.type for op in ops])


# %% autograph
def flip(a):
    if a < 0:
        a = -a
    return a


print(tf.autograph.to_code(flip))


# %% branch-keras raises="OperatorNotAllowedInGraphError"
class Flip(keras.layers.Layer):
    def call(self, a):
        if tf.reduce_sum(a) < 0:
            a = -a
        return a


layer = Flip()
print(layer(tf.constant([-4.0])).numpy())
tf.function(layer)(tf.constant([-4.0]))


# %% branch-right
class Flip(keras.layers.Layer):
    def call(self, a):
        return tf.cond(tf.reduce_sum(a) < 0, lambda: -a, lambda: a)


layer = tf.function(Flip())
print(layer(tf.constant([-4.0])).numpy())
print(layer(tf.constant([3.0])).numpy())


# %% loop
@tf.function
def repeat(a, n):
    for _ in range(n):
        a = tf.sin(a)
    return a


for n in (3, 6, tf.constant(6)):
    ops = repeat.get_concrete_function(one, n).graph.get_operations()
    types = Counter(op.type for op in ops)
    print(f"{types['Sin']} Sin, {types['StatelessWhile']} StatelessWhile")
    print(repeat(one, n).numpy())


# %% loop-while
@tf.function
def halvings(a):
    n = 0
    while tf.norm(a) > 1:
        a, n = a / 2, n + 1
    return n


print(halvings(x).numpy())
print(halvings(100 * x).numpy())


# %% in-place raises="TypeError"
@tf.function
def set_first(a):
    a[0] = 5.0
    return a


set_first(tf.zeros(3))


# %% in-place-right
@tf.function
def set_first(a):
    return tf.tensor_scatter_nd_update(a, [[0]], [5.0])


old = tf.zeros(3)
print(set_first(old).numpy(), old.numpy())

total = tf.Variable(tf.zeros(3))


@tf.function
def add(a):
    total.assign_add(a)
    total[0].assign(5.0)


add(tf.ones(3))
add(tf.ones(3))
print(total.numpy())


# %% numpy raises="AttributeError"
@tf.function
def sort_rows(a):
    return np.sort(a.numpy())


sort_rows(x)


# %% numpy-right
@tf.function
def sort_rows(a):
    b = tf.numpy_function(np.sort, [a], tf.float32)
    print("shape known while tracing:", b.shape)
    # NumPy could return any shape, so the graph must be told which.
    return tf.ensure_shape(b, a.shape)


print(sort_rows(x)[0, :3].numpy())

# %% export
net.export("net", verbose=False)

# %% load
loaded = tf.saved_model.load("net")
print("a Keras model:", isinstance(loaded, keras.Model))
print(loaded.serve(x))
print("same:", np.allclose(net(x), loaded.serve(x), atol=1e-5))
print("a batch of three:", loaded.serve(tf.zeros((3, 512))).shape)


# %% try-it
@tf.function
def times(a, factor):
    return a * factor


for factor in range(4):
    times(one, float(factor))
numbers = times.experimental_get_tracing_count()
for factor in range(4):
    times(one, tf.constant(float(factor)))
tensors = times.experimental_get_tracing_count() - numbers
print("traces for four numbers:", numbers, "for four tensors:", tensors)

factor = tf.Variable(0.0)


@tf.function
def times_variable(a):
    return a * factor


for value in range(4):
    factor.assign(float(value))
    times_variable(one)
print("for a variable:", times_variable.experimental_get_tracing_count())
