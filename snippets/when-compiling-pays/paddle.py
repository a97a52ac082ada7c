# /// polytab
# measures = true
# timeout = 600
# ///

# %% formula
import json
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import paddle
from paddle import inference, nn
from paddle.jit import to_static
from paddle.static import InputSpec

from measure import compare, sweep
from peak import peak

device = paddle.device.get_device()


def gelu(x):
    inner = 0.7978845608 * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + paddle.tanh(inner))


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


paddle.seed(0)
compiled = to_static(gelu, full_graph=True)


# %% ahead
class Layer(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return gelu(self.linear(x))


def network(depth, width):
    paddle.seed(0)
    return nn.Sequential(*[Layer(width) for _ in range(depth)])


def predictor(layer, name, rows=64):
    """Save a layer, load it for inference, and keep the program."""
    layer.eval()
    spec = [InputSpec([rows, 256], "float32", name="x")]
    paddle.jit.save(layer, f"{name}/saved", input_spec=spec)
    config = inference.Config(f"{name}/saved.json", f"{name}/saved.pdiparams")
    config.disable_glog_info()
    config.enable_save_optim_model(True)
    config.set_optim_cache_dir(name)
    return inference.create_predictor(config)


def saved_operations(path):
    program = json.loads(Path(path).read_text())["program"]
    ops = program["regions"][0]["blocks"][0]["ops"]
    names = [op["#"].split(".")[-1] for op in ops]
    # Parameters, constants and results are no work.
    return [name for name in names if name not in (
        "p", "data", "full", "full_int_array", "fetch")]


x = paddle.randn([64, 256])
plain = network(4, 256)
ahead = predictor(plain, "network")
for path in sorted(Path("network").iterdir()):
    content = path.read_bytes()
    print(path.name, "- machine code:", content.startswith(b"\x7fELF"))
saved = Counter(saved_operations("network/saved.json"))
optimised = Counter(saved_operations("network/_optimized.json"))
print("saved:    ", dict(saved))
print("optimised:", dict(optimised))
with paddle.no_grad():
    print("close:", np.allclose(ahead.run([x])[0], plain(x), atol=1e-5))

# %% ahead-time
fresh = to_static(network(4, 256), full_graph=True)
new = predictor(network(4, 256), "new")
with paddle.no_grad():
    times = compare("ahead", just_in_time=lambda: fresh(x),
                    ahead_of_time=lambda: new.run([x]), wait=ready)
times


# %% first-call
def networks(depth, width=256, batch=64):
    paddle.set_grad_enabled(False)
    plain = network(depth, width)
    compiled = to_static(network(depth, width), full_graph=True)
    x = paddle.randn([batch, width])
    return {"eager": lambda: plain(x), "compiled": lambda: compiled(x)}


with paddle.no_grad():
    times = sweep("depth", "layers", [1, 4, 16],
                  networks, wait=ready, first=["compiled"])
times

# %% memory
many = paddle.randn([2**22])
# What Linux counts holds nothing of a GPU.
compare("memory", eager=lambda: gelu(many), compiled=lambda: compiled(many),
        wait=ready, memory=peak if device == "cpu" else None)

# %% pays-batch
any_batch = predictor(network(4, 256), "any-batch", rows=None)


def with_predictor(batch):
    x = paddle.randn([batch, 256])
    return networks(4, 256, batch) | {"predictor": lambda: any_batch.run([x])}


with paddle.no_grad():
    times = sweep("batch", "batch size", [1, 8, 64, 512], with_predictor,
                  wait=ready)
times

# %% pays-width
with paddle.no_grad():
    times = sweep("width", "width", [64, 256, 1024],
                  lambda width: networks(4, width, 64), wait=ready)
times


# %% break-even
def by_batch(batch):
    return networks(4, batch=batch)


times = sweep("break-even", "batch size", [1, 64], by_batch,
              wait=ready, first=True)
paddle.set_grad_enabled(True)  # for the last section
times



# %% step
# PaddlePaddle warns about a call of its own here.
warnings.filterwarnings("ignore", "Tensor do not have 'place'")


def training(net):
    optimiser = paddle.optimizer.SGD(0.01, parameters=net.parameters())

    def step():
        loss = paddle.mean(paddle.square(net(x)))
        loss.backward()
        optimiser.step()
        optimiser.clear_grad()
        return loss

    return step


def compiled_training():
    return training(to_static(network(4, 256), full_graph=True))


check = compiled_training()
first, second = check().item(), check().item()
print("loss falls:", second < first)
compare("step", eager=training(network(4, 256)), compiled=compiled_training(),
        wait=ready)
