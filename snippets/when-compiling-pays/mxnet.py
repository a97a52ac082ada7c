# /// polytab
# measures = true
# timeout = 600
# ///

# %% formula
import json
from pathlib import Path

import mxnet as mx
from mxnet import autograd, gluon, np, npx, sym
from mxnet.gluon import nn

from measure import compare, sweep
from peak import peak

npx.set_np()


def gelu(F, x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + F.np.tanh(inner))


class Gelu(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return gelu(F, x)


def ready(result):
    npx.waitall()


def compile_block(block):
    block.hybridize(static_alloc=True, static_shape=True)
    return block


eager, compiled = Gelu(), compile_block(Gelu())


# %% ahead
class Layer(nn.HybridBlock):
    def __init__(self, width):
        super().__init__()
        self.dense = nn.Dense(width, in_units=width)

    def hybrid_forward(self, F, x):
        return gelu(F, self.dense(x))


def network(depth, width):
    net = nn.HybridSequential()
    net.add(*[Layer(width) for _ in range(depth)])
    net.initialize(mx.init.Xavier())
    return net


def operators(symbol):
    nodes = json.loads(symbol.tojson())["nodes"]
    return [node["op"] for node in nodes if node["op"] != "null"]


x = np.random.normal(size=(64, 256))
net = network(4, 256)
# No input is needed for a program, only its name.
program = net(sym.var("data").as_np_ndarray())
print(len(operators(program)), "operators, inputs:",
      *program.list_arguments()[:3], "...")
program.save("network-symbol.json")
net.save_parameters("network.params")
net.hybridize()
net(x)
net.export("network")
for path in sorted(Path().glob("network*")):
    start = path.read_bytes()[:4]
    print(path.name, "begins with", start,
          "- machine code:", start == b"\x7fELF")
loaded = gluon.SymbolBlock.imports(
    "network-symbol.json", ["data"], "network-0000.params")
print("close:", np.allclose(loaded(x), net(x)))

# %% ahead-time
fresh, warm = compile_block(network(4, 256)), compile_block(network(4, 256))
ready(warm(np.zeros((64, 256))))
compare("ahead", just_in_time=lambda: fresh(x), ahead_of_time=lambda: warm(x),
        loaded=lambda: loaded(x), wait=ready)


# %% first-call
def networks(depth, width=256, batch=64):
    npx.set_np()
    plain = network(depth, width)
    compiled = compile_block(network(depth, width))
    x = np.random.normal(size=(batch, width))
    npx.waitall()
    return {"eager": lambda: plain(x), "compiled": lambda: compiled(x)}


sweep("depth", "layers", [1, 4, 16], networks, wait=ready, first=True)

# %% memory
many = np.random.normal(size=2**22)
compare("memory", eager=lambda: eager(many), compiled=lambda: compiled(many),
        wait=ready, memory=peak)

# %% pays-batch
sweep("batch", "batch size", [1, 8, 64, 512],
      lambda batch: networks(4, 256, batch), wait=ready)

# %% pays-width
sweep("width", "width", [64, 256, 1024],
      lambda width: networks(4, width, 64), wait=ready)


# %% break-even
def by_batch(batch):
    return networks(4, batch=batch)


sweep("break-even", "batch size", [1, 64], by_batch, wait=ready, first=True)



# %% step
def training(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd",
                            {"learning_rate": 0.01})

    def step():
        with autograd.record():
            loss = np.mean(net(x) ** 2)
        loss.backward()
        trainer.step(1)
        return loss

    return step


def compiled_training():
    return training(compile_block(network(4, 256)))


check = compiled_training()
first, second = check().item(), check().item()
print("loss falls:", second < first)
compare("step", eager=training(network(4, 256)), compiled=compiled_training(),
        wait=ready)
