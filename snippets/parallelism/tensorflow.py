# /// polytab
# measures = true
# timeout = 600
# ///

# %% settings
import tensorflow as tf

# All of this goes before the first tensor: then TensorFlow starts its pools.
tf.config.threading.set_intra_op_parallelism_threads(2)
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
tf.config.threading.set_intra_op_parallelism_threads(1)

# %% product
from processes import compare_processes


def products(rows, times):
    import tensorflow as tf

    a = tf.fill((rows, rows), 1 / rows)

    def run():
        y = a
        for _ in range(times):
            y = y @ a
        return y.numpy()
    return run


def threads(inside, between="1"):
    return {"TF_NUM_INTRAOP_THREADS": inside,
            "TF_NUM_INTEROP_THREADS": between}


compare_processes("product", {
    "large on one thread": (products, threads("1"), 1000, 1),
    "large on two threads": (products, threads("2"), 1000, 1),
    "small on one thread": (products, threads("1"), 100, 1000),
    "small on two threads": (products, threads("2"), 100, 1000)},
    threads="how many there are is compared")


# %% branches
def branches(width, depth):
    import tensorflow as tf

    x = tf.random.normal((width, width))
    weights = [[tf.random.normal((width, width)) / width ** 0.5
                for _ in range(depth)] for _ in range(2)]

    def branch(x, weights):
        for weight in weights:
            x = tf.tanh(x @ weight)
        return x

    @tf.function
    def both(x):
        return tf.concat([branch(x, each) for each in weights], 0)
    return lambda: both(x).numpy()


# %% branches-time
wide = 512, 8
compare_processes("branches", {
    "one core": (branches, threads("1", "1"), *wide),
    "divided": (branches, threads("2", "1"), *wide),
    "at once": (branches, threads("1", "2"), *wide),
    "both": (branches, threads("2", "2"), *wide)},
    threads="one core is compared with two, used in three ways")

# %% small-branches
narrow = 64, 64
compare_processes("small-branches", {
    "one core": (branches, threads("1", "1"), *narrow),
    "divided": (branches, threads("2", "1"), *narrow),
    "at once": (branches, threads("1", "2"), *narrow)},
    threads="one core is compared with two, used in two ways")

# %% data-parallel
from measure import compare

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
def one_device(x, y):
    for p, g in zip(alone, gradients(alone, x, y)):
        p.assign_sub(0.1 * g)


def replica(x, y, averaged):
    own = gradients(shared, x, y)
    if averaged:
        context = tf.distribute.get_replica_context()
        own = context.all_reduce("MEAN", own)
    for p, g in zip(shared, own):
        p.assign_sub(0.1 * g)


@tf.function
def two_devices(x, y, averaged=True):
    strategy.run(replica, args=(halves(x), halves(y), averaged))


def halves(tensor):
    parts = tf.split(tensor, 2)
    return strategy.experimental_distribute_values_from_function(
        lambda context: parts[context.replica_id_in_sync_group])


def data(examples):
    return (tf.random.stateless_normal((examples, 256), seed=(0, 1)),
            tf.random.stateless_normal((examples, 1), seed=(0, 2)))


one_device(*data(1024))
two_devices(*data(1024))
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


def steps(examples):
    x, y = data(examples)
    return {"one device": lambda: one_device(x, y),
            "two devices": lambda: two_devices(x, y),
            "not averaged": lambda: two_devices(x, y, averaged=False)}


compare("step", steps(2048), wait=ready)

# %% small-step
compare("small-step", steps(64), wait=ready)

# %% layer
x, _ = data(64)
hidden, out = get_parameters()
parts = list(zip(["CPU:0", "CPU:1"], tf.split(hidden, 2, axis=1),
                 tf.split(out, 2, axis=0)))


@tf.function
def layer(x):
    sums = []
    for device, columns, rows in parts:
        with tf.device(device):
            sums.append(tf.tanh(x @ columns) @ rows)
    return tf.add_n(sums)


print("of the weights:", parts[0][1].shape, parts[0][2].shape)
far = tf.reduce_max(abs(layer(x) - tf.tanh(x @ hidden) @ out))
print("same result:", bool(far < 1e-4))


# %% copy
def overlap(kind):
    import tensorflow as tf

    a = tf.fill((600, 600), 1 / 600)
    source = tf.ones((4000, 4000))

    def compute(a):
        y = a
        for _ in range(3):
            y = tf.tanh(y @ a)
        return y

    @tf.function
    def run():
        copy = tf.raw_ops.DeepCopy(x=source)
        if kind == "copy":
            return tf.constant(0), copy
        if kind == "at once":
            return compute(a), copy
        with tf.control_dependencies([copy]):
            return compute(tf.identity(a)), copy
    return lambda: run()[0].numpy()  # run returns when both are done


# %% overlap
compare_processes("overlap", {
    "copy on one core": (overlap, threads("1", "1"), "copy"),
    "copy on two cores": (overlap, threads("2", "2"), "copy"),
    "one core": (overlap, threads("1", "1"), "in turn"),
    "in turn": (overlap, threads("2", "2"), "in turn"),
    "at once": (overlap, threads("2", "2"), "at once")},
    threads="one core is compared with two")

# %% streams
gpus = tf.config.list_physical_devices("GPU")
print(len(gpus), "GPUs")
