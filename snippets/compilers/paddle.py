# /// polytab
# measures = true
# ///

# %% net
import paddle
from paddle import nn
from paddle.jit import to_static
from paddle.nn import functional
from paddle.static import InputSpec

from measure import compare


def get_net(inputs=512, first=256, second=128):
    # The same seed gives every copy of the net the same parameters.
    paddle.seed(0)
    return nn.Sequential(
        nn.Linear(inputs, first), nn.ReLU(),
        nn.Linear(first, second), nn.ReLU(),
        nn.Linear(second, 2))


net = get_net()
x = paddle.randn([1, 512])
print(net(x))

# %% compile
# None leaves the size of the batch open.
spec = [InputSpec([None, 512], "float32", name="x")]
compiled = to_static(get_net(), input_spec=spec, full_graph=True)
print(compiled(x))
print("same result:", paddle.allclose(compiled(x), net(x)).item())

# %% static
pieces = to_static(get_net())
print("same result:", paddle.allclose(pieces(x), net(x)).item())
print(type(pieces.forward).__name__)
print(type(compiled.forward).__name__)
try:
    print(pieces.forward.main_program)
except RuntimeError as error:
    print(error)


# %% forward
device = paddle.device.get_device()


def ready(result):
    if device != "cpu":  # A call returns before its work is done.
        paddle.device.synchronize()


def forward_cases():
    paddle.set_grad_enabled(False)  # in the cells below as well
    whole = to_static(get_net(), full_graph=True)
    default = to_static(get_net())
    w0, b0, w1, b1, w2, b2 = net.parameters()

    def operations():
        h = functional.relu(functional.linear(x, w0, b0))
        h = functional.relu(functional.linear(h, w1, b1))
        return functional.linear(h, w2, b2)

    return {
        "eager": lambda: net(x),
        "compiled": lambda: whole(x),
        "default mode": lambda: default(x),
        "operations": operations,
    }


compare("forward", forward_cases, wait=ready, first=["compiled"])

# %% narrow
narrow = get_net(8, 4, 2)
few = paddle.randn([1, 8])
compiled_wide = to_static(get_net(), full_graph=True)
compiled_narrow = to_static(get_net(8, 4, 2), full_graph=True)
compare(
    "narrow",
    {
        "eager": lambda: net(x),
        "narrow eager": lambda: narrow(few),
        "compiled": lambda: compiled_wide(x),
        "narrow compiled": lambda: compiled_narrow(few),
    },
    wait=ready)
