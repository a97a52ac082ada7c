# /// polytab
# measures = true
# ///

# %% net
from mxnet import np, npx
from mxnet.gluon import nn

from measure import compare

npx.set_np()


def get_net(first=256, second=128):
    net = nn.HybridSequential()
    net.add(nn.Dense(first, activation="relu"),
            nn.Dense(second, activation="relu"),
            nn.Dense(2))
    net.initialize()
    return net


# No seed is set: MXNet starts every process with the same one.
x = np.random.normal(size=(1, 512))
net = get_net()
print(net(x))

# %% compile
eager = net(x)
net.hybridize()
# This call records the program, the later ones only run it.
compiled = net(x)
print(compiled)
print("unchanged:", np.allclose(eager, compiled))


# %% forward
def ready(y):
    y.wait_to_read()


def forward_cases():
    npx.set_np()
    eager, recorded, static = get_net(), get_net(), get_net()
    for each in (eager, recorded, static):
        each(x).wait_to_read()  # Now the parameters exist.
    recorded.hybridize()
    static.hybridize(static_alloc=True, static_shape=True)
    values = [each.data() for each in eager.collect_params().values()]
    w0, b0, w1, b1, w2, b2 = values

    def operations():
        dense, relu = npx.fully_connected, npx.relu
        h = relu(dense(x, w0, b0, num_hidden=256))
        h = relu(dense(h, w1, b1, num_hidden=128))
        return dense(h, w2, b2, num_hidden=2)

    return {
        "eager": lambda: eager(x),
        "compiled": lambda: recorded(x),
        "static": lambda: static(x),
        "operations": operations,
    }


compare("forward", forward_cases, wait=ready, first=["compiled"])

# %% narrow
few = np.random.normal(size=(1, 8))
wide, narrow = get_net(), get_net(4, 2)
compiled_wide, compiled_narrow = get_net(), get_net(4, 2)
for each in (wide, compiled_wide):
    each(x).wait_to_read()
for each in (narrow, compiled_narrow):
    each(few).wait_to_read()
compiled_wide.hybridize()
compiled_narrow.hybridize()
compare(
    "narrow",
    {
        "eager": lambda: wide(x),
        "narrow eager": lambda: narrow(few),
        "compiled": lambda: compiled_wide(x),
        "narrow compiled": lambda: compiled_narrow(few),
    },
    wait=ready)
