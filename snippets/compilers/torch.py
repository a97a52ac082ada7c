# /// polytab
# measures = true
# ///

# %% net
import torch
from torch import nn
from torch.nn import functional

from measure import compare

device = "cuda" if torch.cuda.is_available() else "cpu"


def get_net(inputs=512, first=256, second=128):
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Linear(inputs, first),
        nn.ReLU(),
        nn.Linear(first, second),
        nn.ReLU(),
        nn.Linear(second, 2),
    ).to(device)


net = get_net()
x = torch.randn(1, 512, device=device)
print(net(x))

# %% compile
compiled_net = torch.compile(net)  # Nothing is compiled yet.
y = compiled_net(x)  # The first call compiles.
print(y)
print("same as before:", torch.allclose(y, net(x)))

# %% forward
def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


def forward_cases():
    torch.set_grad_enabled(False)  # in the cells below as well
    compiled = torch.compile(net, dynamic=False)
    w0, b0, w1, b1, w2, b2 = net.parameters()

    def operations():
        h = functional.relu(functional.linear(x, w0, b0))
        h = functional.relu(functional.linear(h, w1, b1))
        return functional.linear(h, w2, b2)

    return {
        "eager": lambda: net(x),
        "compiled": lambda: compiled(x),
        "operations": operations,
    }


compare("forward", forward_cases, wait=ready, first=["compiled"])

# %% narrow
narrow = get_net(8, 4, 2)
few = torch.randn(1, 8, device=device)
compiled_wide = torch.compile(net, dynamic=False)
compiled_narrow = torch.compile(narrow, dynamic=False)
compare(
    "narrow",
    {
        "eager": lambda: net(x),
        "narrow eager": lambda: narrow(few),
        "compiled": lambda: compiled_wide(x),
        "narrow compiled": lambda: compiled_narrow(few),
    },
    wait=ready,
)
