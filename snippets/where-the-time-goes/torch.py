# /// polytab
# measures = true
# timeout = 600
# ///

# %% step
import torch
from torch.nn import functional as F

from decoder import HEADS, MODELS, initial_weights, some_tokens

device = "cuda" if torch.cuda.is_available() else "cpu"


def norm(x):
    return F.layer_norm(x, x.shape[-1:])


def attention(x, w, layer):
    heads = (x @ w[f"attention {layer}"]).unflatten(-1, (3, HEADS, -1))
    query, key, value = heads.permute(2, 0, 3, 1, 4)
    mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    return mixed.transpose(1, 2).flatten(2) @ w[f"mix {layer}"]


def predict(tokens, w, layers):
    x = F.embedding(tokens, w["embedding"]) + w["position"]
    for layer in range(layers):
        x = x + attention(norm(x), w, layer)
        x = x + F.relu(norm(x) @ w[f"up {layer}"]) @ w[f"down {layer}"]
    return norm(x) @ w["classes"]


def training(sizes):
    """Return a function that trains a model by one step."""
    w = {name: torch.tensor(values, device=device, requires_grad=True)
         for name, values in initial_weights(sizes).items()}
    optimiser = torch.optim.SGD(w.values(), 0.1)

    def step(tokens):
        logits = predict(tokens[:, :-1], w, sizes.layers)
        loss = F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        return loss.detach()

    return step

# %% losses
def to_device(tokens):
    return torch.from_numpy(tokens).to(device)


def ready(result):
    if device == "cuda":  # A call returns before its work is done.
        torch.cuda.synchronize()


sizes = MODELS["input"]
step, batch = training(sizes), to_device(some_tokens(sizes))
print(*[f"{step(batch).item():.3f}" for _ in range(5)])

# %% documents
import zlib

import numpy

document = " ".join(f"word{number % 997}" for number in range(40_000))


def read_documents(sizes):
    """Split a document for each example, to keep its first words."""
    lines = [document.split()[:sizes.length + 1] for _ in range(sizes.batch)]
    return numpy.array([[zlib.crc32(word.encode()) % sizes.classes
                         for word in line] for line in lines])

# %% input
from measure import compare


def constant(sizes):
    """Return a function that trains on one batch again and again."""
    step, batch = training(sizes), to_device(some_tokens(sizes))
    return lambda: step(batch)


def loaded(sizes, load=read_documents):
    """Return a function that loads a batch and trains on it."""
    step = training(sizes)
    return lambda: step(to_device(load(sizes)))


def changed(sizes, run):
    """Return a model as it is, and as two experiments change it."""
    return {"as it is": run(sizes),
            "batch doubled": run(sizes.with_twice_the_batch()),
            "width halved": run(sizes.with_half_the_width())}


sizes = MODELS["input"]
compare("input", {**changed(sizes, loaded), "constant batch": constant(sizes)},
        wait=ready)

# %% waits
def losses(sizes, steps=10):
    step, batch = training(sizes), to_device(some_tokens(sizes))

    def at_the_end():
        pending = [step(batch) for _ in range(steps)]
        return [loss.item() for loss in pending]

    return {"each step": lambda: [step(batch).item() for _ in range(steps)],
            "at the end": at_the_end}


compare("waits", losses(MODELS["overhead"]), wait=ready)

# %% counts
from decoder import operations, traffic

print("              batch doubled     width halved")
for name, sizes in MODELS.items():
    twice, half = sizes.with_twice_the_batch(), sizes.with_half_the_width()
    print(f"{name:12}", *(
        f"{count(other) / count(sizes):8.2f}"
        for other in (twice, half) for count in (operations, traffic)))

# %% limits
from decoder import lengths_of_additions, shapes_of_products


def its_products(sizes):
    """Return as much arithmetic as a step has, in large products."""
    width, rows = shapes_of_products(operations(sizes))
    factors = [torch.ones(each, width, device=device) for each in rows]
    square = torch.ones(width, width, device=device)
    return lambda: [each @ square for each in factors]


def its_bytes(sizes):
    """Return as many bytes as a step moves, in additions in place."""
    length, times = lengths_of_additions(traffic(sizes))
    a = torch.zeros(length, device=device)
    b = torch.ones(length, device=device)
    return lambda: [a.add_(b) for _ in range(times)]

# %% products
def experiments(name):
    sizes = MODELS[name]
    return compare(name, {**changed(sizes, constant),
                          "its products": its_products(sizes),
                          "its bytes": its_bytes(sizes)}, wait=ready)


experiments("products")

# %% weights
experiments("weights")

# %% activations
experiments("activations")

# %% overhead
experiments("overhead")

# %% trace
from torch.profiler import ProfilerActivity, profile, record_function

from measure import taken
from traces import Timeline, parts


def traced(model, steps):
    """Return when each step of a trace began and ended, and each operator."""
    run = constant(MODELS[model])
    ready(run())
    with profile(activities=[ProfilerActivity.CPU]) as trace:
        for _ in range(steps):
            with record_function("a step"):
                ready(run())
    events = [(each.name, each.time_range.start / 1e6,
               each.time_range.end / 1e6) for each in trace.events()]
    return ([(start, end) for name, start, end in events if name == "a step"],
            [each for each in events if each[0].startswith("aten::")])


small = traced("overhead", 20)
taken("small trace", **parts(*small))

# %% large-trace
large = traced("products", 8)
taken("large trace", **parts(*large))

# %% timeline varies="shares" why="no two steps take the same time"
Timeline(overhead=small, products=large)

# %% price
import time


def seconds(run, calls):
    start = time.perf_counter()
    for _ in range(calls):
        ready(run())
    return (time.perf_counter() - start) / calls


def profiled(run, calls):
    with profile(activities=[ProfilerActivity.CPU]):
        return seconds(run, calls)


def with_and_without(name, model, calls):
    run = constant(MODELS[model])
    seconds(run, calls)
    rows = [(seconds(run, calls), profiled(run, calls)) for _ in range(10)]
    plain, slowed = zip(*rows)
    return {name: plain, f"{name}, profiled": slowed}


taken("price", **with_and_without("small", "overhead", 20),
      **with_and_without("large", "products", 1))

# %% three-models
from decoder import Sizes


def slow_disk(sizes):
    time.sleep(0.02)
    return some_tokens(sizes)


deep = Sizes(batch=1, length=4, width=16, layers=6, classes=16)
quick = MODELS["overhead"]
wide = Sizes(batch=1, length=2, width=1280, layers=1, classes=32)


def questions(sizes, run=constant):
    return {**changed(sizes, run), "constant batch": constant(sizes)}

# %% first
compare("first", questions(deep), wait=ready)

# %% second
compare("second", questions(quick, lambda sizes: loaded(sizes, slow_disk)),
        wait=ready)

# %% third
compare("third", questions(wide), wait=ready)
