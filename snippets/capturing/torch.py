# %% net
import contextlib
import io
import warnings

import numpy as np
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def get_net():
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Linear(512, 256),
        nn.ReLU(),
        nn.Linear(256, 128),
        nn.ReLU(),
        nn.Linear(128, 2),
    ).to(device)


net = get_net()
x = torch.randn(1, 512, device=device)
net(x)

# %% program
print(torch.fx.symbolic_trace(net).graph)

# %% backend
graphs = []


# A backend is a function from a graph to something that can be called.
# This one keeps the graph and runs it as it is.
def recording(graph_module, example_inputs):
    graphs.append(graph_module.graph)
    return graph_module.forward


def steps(graph):
    nodes = [node for node in graph.nodes if node.op.startswith("call")]
    return [getattr(node.target, "__name__", node.target) for node in nodes]


torch.compile(net, backend=recording)(x)
print(steps(graphs[0]))

# %% program-export
exported = torch.export.export(net, (x,))
for node in exported.graph.nodes:
    if node.op == "call_function":
        print(node.target, tuple(node.meta["val"].shape))
print("parameters:", *exported.graph_signature.parameters)

# %% trace
v = torch.tensor([1.0, 2.0, 3.0], device=device)


def noisy(x):
    y = x * 2
    print("y is a", type(y).__name__)
    return y + 1


graphs.clear()
compiled = torch.compile(noisy, backend=recording)
for _ in range(3):
    compiled(v)
print("graphs:", [steps(graph) for graph in graphs])


# %% trace-export
class Wrap(nn.Module):  # torch.export takes modules only.
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


print("symbolic_trace:")
torch.fx.symbolic_trace(noisy)
print("export:")
program = torch.export.export(Wrap(noisy), (v,)).module()
print("three calls:")
for _ in range(3):
    program(v)

# %% frozen
scale = 10.0


def scaled(x):
    return x * scale


compiled = torch.compile(scaled, backend=recording)
program = torch.export.export(Wrap(scaled), (v,)).module()
print("compiled:", compiled(v), "exported:", program(v))
scale = 1000.0
print("compiled:", compiled(v), "exported:", program(v))


# %% frozen-random
def drawn(x):
    return x + np.random.normal()


compiled = torch.compile(drawn, backend=recording)
program = torch.export.export(Wrap(drawn), (v,)).module()
for name, f in (("compiled", compiled), ("exported", program)):
    print(name, "- two calls agree:", torch.equal(f(v), f(v)))


# %% buffer
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor(10.0, device=device))

    def forward(self, x):
        return x * self.scale


program = torch.export.export(Scaled(), (v,)).module()
print(program(v))
program.scale.fill_(1000.0)
print(program(v))


# %% branch
def double_or_negate(x):
    if x.sum() > 0:
        return x * 2
    return -x


graphs.clear()
compiled = torch.compile(double_or_negate, backend=recording)
print(compiled(v), compiled(-v))
print("graphs:", [steps(graph) for graph in graphs])

# %% branch-export
# The graph so far is listed on stderr.
with contextlib.redirect_stderr(io.StringIO()):
    try:
        torch.export.export(Wrap(double_or_negate), (v,))
    except RuntimeError as error:
        print(type(error).__name__, "-", str(error).split(" (")[0])


# %% branch-right
def double_or_negate_in_graph(x):
    return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, (x,))


compiled = torch.compile(double_or_negate_in_graph, fullgraph=True)
print(compiled(v), compiled(-v))
program = torch.export.export(Wrap(double_or_negate_in_graph), (v,))
print(steps(program.graph))
print("if true: ", steps(program.graph_module.true_graph_0.graph))
print("if false:", steps(program.graph_module.false_graph_0.graph))


# %% branch-select
def double_or_negate_by_selection(x):
    return torch.where(x.sum() > 0, x * 2, -x)


selected = double_or_negate_by_selection
compiled = torch.compile(selected, backend=recording, fullgraph=True)
print(compiled(v), compiled(-v))
program = torch.export.export(Wrap(selected), (v,))
print(steps(program.graph))

# %% branch-fullgraph
torch.compiler.reset()  # Forget what was compiled with a break.
strict = torch.compile(double_or_negate, backend=recording, fullgraph=True)
try:
    strict(v)
except RuntimeError as error:
    lines = str(error).splitlines()
    print(type(error).__name__, "-", lines[0])
    print(*(line.strip() for line in lines if "torch.cond" in line))

# %% branch-traced
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("once", torch.jit.TracerWarning)
    traced = torch.jit.trace(double_or_negate, v)
for warning in caught:
    name = warning.category.__name__
    print(f"{name}: {str(warning.message).split('. ')[0]}")
print(traced.code)
print("should be", double_or_negate(-v), "but is", traced(-v))

# %% loop
def double_times(x, n):
    for _ in range(n):
        x = x * 2
    return x


graphs.clear()
compiled = torch.compile(double_times, backend=recording, fullgraph=True)
for n in (2, 3):
    print(compiled(v, n), steps(graphs[-1]))


# %% loop-while
def double_until_100(x):
    while x.sum() < 100:
        x = x * 2
    return x


graphs.clear()
compiled = torch.compile(double_until_100, backend=recording)
print(compiled(v))
print("graphs:", [steps(graph) for graph in graphs])


# %% loop-right
def double_until_100_in_graph(x):
    (x,) = torch.while_loop(lambda x: x.sum() < 100, lambda x: (x * 2,), (x,))
    return x


compiled = torch.compile(double_until_100_in_graph, fullgraph=True)
print(compiled(v), compiled(v / 10))
program = torch.export.export(Wrap(double_until_100_in_graph), (v,))
print(steps(program.graph))


# %% in-place
def set_first(x):
    x[0] = 5
    return x * 2


mine = v.clone()
print(torch.compile(set_first, fullgraph=True)(mine))
print("my tensor is now", mine)
try:
    torch.fx.symbolic_trace(set_first)
except TypeError as error:
    print("symbolic_trace:", error)


# %% in-place-right
def with_first(x):
    five = torch.tensor(5.0, device=device)
    x = torch.select_scatter(x, five, dim=0, index=0)
    return x * 2


mine = v.clone()
print(torch.compile(with_first, fullgraph=True)(mine))
print("my tensor is still", mine)


# %% numpy
def numpy_tanh(x):
    return torch.from_numpy(np.tanh(x.numpy())) + 1


host = v.cpu()  # NumPy reaches no other memory.
graphs.clear()
compiled = torch.compile(numpy_tanh, backend=recording, fullgraph=True)
print(compiled(host), compiled(-host))
print(steps(graphs[0]))
try:
    torch.export.export(Wrap(numpy_tanh), (host,))
except RuntimeError as error:
    print("export:", error)
program = torch.export.export(Wrap(numpy_tanh), (host,), strict=True)
print("strict export:", program.module()(-host))


# %% numpy-random
def noise(x):
    return x + torch.from_numpy(np.random.normal(size=3))


def repeats(function, seed):
    seed(0)
    first = function(host)
    seed(0)
    return torch.equal(first, function(host))


compiled = torch.compile(noise, fullgraph=True)
for name, seed in (("NumPy", np.random.seed), ("torch", torch.manual_seed)):
    eager, graph = repeats(noise, seed), repeats(compiled, seed)
    print(f"{name} seeded: eager repeats {eager}, compiled {graph}")


# %% numpy-right
@torch.library.custom_op("book::tanh", mutates_args=())
def opaque_tanh(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.tanh(x.numpy()))


# Tracing needs the shape and type of the result, not its values.
@opaque_tanh.register_fake
def _(x):
    return torch.empty_like(x)


def call_tanh(x):
    return opaque_tanh(x) + 1


print(torch.compile(call_tanh, fullgraph=True)(host))
program = torch.export.export(Wrap(call_tanh), (host,))
for node in program.graph.nodes:
    print(node.op, node.target)

# %% export-batch
two = torch.cat([x, x])  # A size of 1 would be taken for a constant.
try:
    exported.module()(two)
except AssertionError as error:
    print(error)
batch = torch.export.Dim("batch")
program = torch.export.export(net, (two,), dynamic_shapes=({0: batch},))
for n in (1, 2, 5):
    print(n, tuple(program.module()(x.expand(n, -1)).shape))

# %% export
torch.export.save(program, "net.pt2")

# %% load
loaded = torch.export.load("net.pt2").module()
print(type(loaded).__name__)
print(loaded(x))
print("same as before:", torch.allclose(loaded(x), net(x)))

# %% try-it
torch.compiler.reset()
graphs.clear()
linear = torch.compile(nn.Linear(4, 2).to(device), backend=recording)
for n in (2, 3, 4, 5, 1):
    linear(torch.ones(n, 4, device=device))
    print(n, "rows:", len(graphs), "graphs")
