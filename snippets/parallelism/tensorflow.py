# /// polytab
# measures = true
# timeout = 600
# ///

# %% settings
import tensorflow as tf

# All of this goes before the first tensor: then TensorFlow starts its pools.
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(2)
print("inside an operator:",
      tf.config.threading.get_intra_op_parallelism_threads())
print("between operators:",
      tf.config.threading.get_inter_op_parallelism_threads())

# %% devices
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(
    cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
for device in tf.config.list_logical_devices("CPU"):
    print(device.name)

# %% late raises="RuntimeError"
tf.config.threading.set_intra_op_parallelism_threads(2)

# %% product
from processes import compare_processes


def product():
    import tensorflow as tf

    a = tf.random.normal((1000, 1000))
    return lambda: (a @ a).numpy()


def threads(inside, between="1"):
    return {"TF_NUM_INTRAOP_THREADS": inside,
            "TF_NUM_INTEROP_THREADS": between}


compare_processes("product", {
    "one thread": (product, threads("1")),
    "two threads": (product, threads("2")),
    "eight threads": (product, threads("8"))},
    threads="how many there are is compared")


# %% small
def small():
    import tensorflow as tf

    # Or the chain would be joined into one operator.
    tf.config.optimizer.set_experimental_options(
        {"arithmetic_optimization": False})
    a = tf.random.normal((16, 16))

    @tf.function
    def chain(y):
        for _ in range(1000):
            y = tf.tanh(y)
        return y
    return lambda: chain(a).numpy()


compare_processes("small", {
    "one thread": (small, threads("1")),
    "two threads": (small, threads("2"))},
    threads="how many there are is compared")


# %% branches
def branches():
    import tensorflow as tf

    x = tf.random.normal((256, 256))
    weights = [[tf.random.normal((256, 256)) / 16 for _ in range(8)]
               for _ in range(2)]

    def branch(x, weights):
        for weight in weights:
            x = tf.tanh(x @ weight)
        return x

    @tf.function
    def both(x):
        return tf.concat([branch(x, each) for each in weights], 0)
    return lambda: both(x).numpy()


# %% branches-time
compare_processes("branches", {
    "in turn": (branches, threads("1", "1")),
    "two threads inside": (branches, threads("2", "1")),
    "at once": (branches, threads("1", "2"))},
    threads="both cores are used, in another way")

# %% data-parallel
from measure import compare

x = tf.random.stateless_normal((1024, 256), seed=(0, 1))
y = tf.random.stateless_normal((1024, 1), seed=(0, 2))
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])


def get_parameters():
    return [tf.Variable(tf.random.stateless_normal((256, 512), (0, 3)) / 16),
            tf.Variable(tf.random.stateless_normal((512, 1), (0, 4)) / 16)]


def gradients(parameters, x, y):
    with tf.GradientTape() as tape:
        hidden, out = parameters
        loss = tf.reduce_mean((tf.tanh(x @ hidden) @ out - y) ** 2)
    return tape.gradient(loss, parameters)


alone = get_parameters()
with strategy.scope():  # a copy of each variable on each device
    shared = get_parameters()


@tf.function
def one_device():
    for p, g in zip(alone, gradients(alone, x, y)):
        p.assign_sub(0.1 * g)


def replica(x, y):
    context = tf.distribute.get_replica_context()
    means = context.all_reduce("MEAN", gradients(shared, x, y))
    for p, g in zip(shared, means):
        p.assign_sub(0.1 * g)


@tf.function
def two_devices():
    strategy.run(replica, args=(halves(x), halves(y)))


def halves(tensor):
    parts = tf.split(tensor, 2)
    return strategy.experimental_distribute_values_from_function(
        lambda context: parts[context.replica_id_in_sync_group])


one_device()
two_devices()
far = [tf.reduce_max(abs(a - b.read_value())).numpy()
       for a, b in zip(alone, shared)]
print("same weights:", max(far) < 1e-6)
print("copies of a parameter:",
      [each.device[-5:] for each in strategy.experimental_local_results(
          shared[0])])

# %% step
gpus = tf.config.list_physical_devices("GPU")


def ready(result):
    if gpus:  # A call returns before its work is done.
        tf.test.experimental.sync_devices()


compare("step", one_device=one_device, two_devices=two_devices, wait=ready)

# %% copy
a = tf.random.normal((600, 600))
source = tf.random.normal((4000, 4000))


def compute(a):
    y = a
    for _ in range(3):
        y = tf.tanh(y @ a)
    return y


def fresh():
    @tf.function
    def in_turn():
        copy = tf.raw_ops.DeepCopy(x=source)
        with tf.control_dependencies([copy]):
            return compute(tf.identity(a)), copy

    @tf.function
    def at_once():
        return compute(a), tf.raw_ops.DeepCopy(x=source)

    return in_turn, at_once


# %% cold
import time

from measure import taken

first, second = [], []
for _ in range(3):
    in_turn, at_once = fresh()
    for times in (first, second):
        start = time.perf_counter()
        ready(in_turn())
        times.append(time.perf_counter() - start)

taken("cold", first=first, second=second)

# %% overlap
in_turn, at_once = fresh()
compare("overlap", in_turn=in_turn, at_once=at_once, wait=ready)

# %% streams
gpus = tf.config.list_physical_devices("GPU")
print(len(gpus), "GPUs")
