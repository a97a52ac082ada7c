# %% net
import json

import numpy as onp
from mxnet import gluon, np, npx, sym
from mxnet.gluon import nn

npx.set_np()


def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"),
            nn.Dense(128, activation="relu"),
            nn.Dense(2))
    net.initialize()
    return net


# No seed is set: MXNet starts every process with the same one.
x = np.random.normal(size=(1, 512))
net = get_net()
net(x)


# %% program
def show(symbol):
    nodes = json.loads(symbol.tojson())["nodes"]
    for node in nodes:
        if node["op"] != "null":
            inputs = ", ".join(nodes[i[0]]["name"] for i in node["inputs"])
            print(f"{node['name']} = {node['op']}({inputs})")


net.hybridize()
y = net(x)
# A variable has a name. It has no value and no shape.
program = net(sym.var("x").as_np_ndarray())
print(type(program).__name__, program.list_arguments()[:3], "...")
show(program)
# Shapes follow from the shape of the input.
shapes, outputs, _ = program.infer_shape(x=(1, 512))
print(shapes)
print(outputs)


# %% trace
class Double(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        print("running", F.__name__, "on", type(x).__name__)
        return F.npx.relu(x) * 2


v = np.array([1.0, -2.0, 3.0])
double = Double()
print("before hybridize")
print(double(v), double(v))
double.hybridize()
print("after hybridize")
print(double(v), double(v))


# %% frozen
class Scale(nn.HybridBlock):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def hybrid_forward(self, F, x):
        return x * self.factor


scale = Scale(2)
scale.hybridize()
print("factor 2: ", scale(v))
print("recorded: ", scale(sym.var("x").as_np_ndarray()).list_attr())
scale.factor = 10
print("factor 10:", scale(v))
# Calling hybridize again throws the recorded program away.
scale.hybridize()
print("again:    ", scale(v))


# %% branch raises="NotImplementedForSymbol"
class Branch(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        if x.sum() > 0:
            return x * 2
        return -x


branch = Branch()
print(branch(v), branch(-v))
branch.hybridize()
branch(v)


# %% branch-right
class Where(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.np.where(x.sum() > 0, x * 2, -x)


where = Where()
where.hybridize()
print(where(v), where(-v))
show(where(sym.var("x").as_np_ndarray()))


# %% loop
class Repeat(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        for _ in range(3):
            x = x * 2 + 1
        return x


repeat = Repeat()
repeat.hybridize()
print(repeat(v))
show(repeat(sym.var("x").as_np_ndarray()))


# %% while-loop
class Grow(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        def small(value):
            return F.sum(value) < 100

        def twice(value):
            # No output per step, one new loop variable.
            return [], [value * 2]

        _, [last] = F.contrib.while_loop(
            small, twice, [x.as_nd_ndarray()], max_iterations=10)
        return last.as_np_ndarray()


grow = Grow()
grow.hybridize()
print(grow(v))
# The sum of -v stays below 100: the limit ends this loop.
print(grow(-v))
show(grow(sym.var("x").as_np_ndarray()))


# %% in-place raises="NotImplementedError"
class Assign(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        x[0] = 5
        return x


assign = Assign()
mine = v.copy()
print(assign(mine), "and the caller's array:", mine)
assign.hybridize()
assign(v)


# %% in-place-dropped
class Out(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        F.npx.relu(x, out=x)
        return x


out = Out()
print("before hybridize:", out(v.copy()))
out.hybridize()
print("after hybridize: ", out(v.copy()))
show(out(sym.var("x").as_np_ndarray()))
print("(no operator at all)")


# %% in-place-right
class Replace(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        position = F.npx.arange_like(x)
        return F.np.where(position == 0, 5, x)


replace = Replace()
replace.hybridize()
print(replace(v), "and the caller's array:", v)


# %% numpy raises="NotImplementedForSymbol"
class Sorted(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return np.array(onp.sort(x.asnumpy()))


in_order = Sorted()
print(in_order(v))
in_order.hybridize()
in_order(v)


# %% export
net.export("mlp")

# %% load
for name, value in npx.load("mlp-0000.params").items():
    print(name, value.shape)
loaded = gluon.SymbolBlock.imports(
    "mlp-symbol.json", ["data"], "mlp-0000.params")
print(loaded(x))
print("unchanged:", np.allclose(loaded(x), y))


# %% try-it
class Kept(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        x = F.npx.relu(x, out=x)
        return x


kept = Kept()
for _ in range(2):
    mine = v.copy()
    print(kept(mine), "and the caller's array:", mine)
    kept.hybridize()
