# %% net
import re
import time
import warnings
from collections import Counter

import numpy as np
import paddle
from paddle import nn
from paddle.jit import to_static
from paddle.static import InputSpec


def get_net():
    # The same seed gives every copy of the net the same parameters.
    paddle.seed(0)
    return nn.Sequential(
        nn.Linear(512, 256), nn.ReLU(),
        nn.Linear(256, 128), nn.ReLU(),
        nn.Linear(128, 2))


net = get_net()
x = paddle.randn([1, 512])
net(x)


# %% program
def show(program):
    # Attributes and operand types make long lines: leave them out.
    text = re.sub(r" \{[^{}\n]*\}", "", str(program))
    print(re.sub(r" : \(.*?\) ->", " ->", text).rstrip())


# None leaves the size of the batch open.
spec = [InputSpec([None, 512], "float32", name="x")]
compiled = to_static(get_net(), input_spec=spec, full_graph=True)
show(compiled.forward.main_program)


# %% trace
def double(x):
    print(f"Python runs on a {type(x).__name__}")
    return x * 2


whole, pieces = to_static(double, full_graph=True), to_static(double)
a, b = paddle.ones([2]), paddle.ones([3])
print("whole graph:")
# The third call has another shape and is traced again.
for v in (a, a, b):
    whole(v)
print("default:")
for v in (a, a, b):
    pieces(v)


# %% trace-print
@to_static(full_graph=True)
def double(x):
    paddle.static.Print(
        x, message="x", print_tensor_name=False,
        print_tensor_type=False, print_tensor_shape=False,
        print_tensor_layout=False, print_tensor_lod=False)
    return x * 2


for value in (1.0, 2.0):
    double(paddle.full([2], value))
# The text comes from C++: the notebook needs a moment to collect it.
time.sleep(0.5)

# %% trace-state
factor = 2.0


def scale(x):
    for _ in range(10):  # a shorter function is left to Python
        x = x + 1
    return x * factor


whole, pieces = to_static(scale, full_graph=True), to_static(scale)
one = paddle.ones([1])
print("whole graph:", whole(one).item(), "default:", pieces(one).item())
factor = 3.0
print("whole graph:", whole(one).item(), "default:", pieces(one).item())


# %% branch
def step(x):
    if x.sum() > 0:
        print("  up")
        y = x + 1
    else:
        print("  down")
        y = x - 1
    return y


up, down = paddle.ones([2]), -paddle.ones([2])
for full_graph in (True, False):
    print("whole graph:" if full_graph else "default:")
    compiled_step = to_static(step, full_graph=full_graph)
    print(compiled_step(up).numpy())
    print(compiled_step(down).numpy())

# %% branch-code
print(to_static(step, full_graph=True).code)


# %% branch-limit
@to_static(full_graph=True)
def sum_of_positive(x):
    return sum(v for v in x if v > 0)


try:
    sum_of_positive(paddle.to_tensor([1.0, -2.0, 3.0]))
except TypeError as error:
    # The message is long: one line of it says what went wrong.
    print(re.search("TypeError: .*", str(error))[0])


# %% branch-right
@to_static(full_graph=True)
def step(x):
    return paddle.static.nn.cond(
        x.sum() > 0, lambda: x + 1, lambda: x - 1)


print(step(up).numpy(), step(down).numpy())
show(step.main_program)


# %% loop
@to_static(full_graph=True)
def times_eight(x):
    for _ in range(3):
        x = x * 2
    return x


@to_static(full_graph=True)
def grow(x):
    while x.sum() < 100:
        x = x * 2
    return x


for f in (times_eight, grow):
    print(f(up).numpy())
    ops = Counter(op.name() for op in f.main_program.global_block().ops)
    print("  scale:", ops["pd_op.scale"], "while:", ops["pd_op.while"])


# %% loop-right
@to_static(full_graph=True)
def grow(x):
    [x] = paddle.static.nn.while_loop(
        lambda x: x.sum() < 100, lambda x: [x * 2], [x])
    return x


print(grow(up).numpy())
show(grow.main_program)


# %% in-place
def set_first(x):
    x[0] = 5.0
    return x


def add_two(x):
    x.add_(paddle.full([3], 2.0))
    return x


def add_ten_and_two(x):
    for _ in range(10):
        x = x + 1
    return add_two(x)


with warnings.catch_warnings(record=True) as caught:
    for f in (set_first, add_two, add_ten_and_two):
        print(f.__name__)
        print("  eager:      ", f(paddle.zeros([3])).numpy())
        default, whole = to_static(f), to_static(f, full_graph=True)
        print("  default:    ", default(paddle.zeros([3])).numpy())
        print("  whole graph:", whole(paddle.zeros([3])).numpy())
print("warning:", *{str(w.message) for w in caught})


# %% in-place-right
@to_static(full_graph=True)
def set_first(x):
    first, five = paddle.to_tensor([0]), paddle.to_tensor([5.0])
    return paddle.scatter(x, first, five)


@to_static(full_graph=True)
def add_two(x):
    return x + 2


zeros = paddle.zeros([3])
print(set_first(zeros).numpy(), add_two(zeros).numpy())
print("the input is unchanged:", zeros.numpy())


# %% numpy
def share(x):
    total = np.asarray(x).sum()
    return x / total


parts = paddle.to_tensor([1.0, 2.0, 5.0])
print("eager:      ", share(parts).numpy())
print("default:    ", to_static(share)(parts).numpy())
whole = to_static(share, full_graph=True)
print("whole graph:", whole(parts).numpy())
show(whole.main_program)


# %% numpy-right
@to_static(full_graph=True)
def share(x):
    return x / x.sum()


@to_static(full_graph=True)
def divide(x, total):
    return x / total


print(share(parts).numpy())
# Where only NumPy will do, it stays outside the compiled function.
total = paddle.to_tensor(np.asarray(parts).sum())
print(divide(parts, total).numpy())

# %% export
paddle.jit.save(compiled, "perceptron")

# %% load
loaded = paddle.jit.load("perceptron")
print(loaded(x))
print("same result:", paddle.equal_all(loaded(x), compiled(x)).item())
batch = paddle.randn([3, 512])
print("batch of three:", loaded(batch).shape)


# %% export-whole
class Share(nn.Layer):
    def __init__(self):
        super().__init__()
        self.net = get_net()

    def forward(self, x):
        y = self.net(x)
        return y / np.asarray(y).sum()


with paddle.no_grad():
    layer = Share()
    print("eager:  ", layer(x).numpy())
    paddle.jit.save(layer, "share", input_spec=spec)
    print("default:", to_static(layer)(x).numpy())
    print("saved:  ", paddle.jit.load("share")(x).numpy())


# %% try-it
def times(x, factor):
    return x * factor


whole = to_static(times, full_graph=True)
for factor in (2.0, 3.0):
    whole(one, paddle.to_tensor(factor))
    print("a tensor:", len(whole.program_cache), "programs")
for factor in (2.0, 3.0):
    whole(one, factor)
    print("a number:", len(whole.program_cache), "programs")
