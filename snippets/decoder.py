"""A small transformer that predicts the next token: what all frameworks share.

Its sizes, its weights before the first step, tokens to train on, and how much
work a step is. No framework is needed here.
"""

from dataclasses import dataclass, replace

import numpy as np

HEADS = 4
LARGE = 512  # the width of a product that keeps a processor busy
LONG = 2**23  # numbers of a vector that no cache holds beside another


@dataclass(frozen=True)
class Sizes:
    """How large a model is, and a batch for it."""

    batch: int
    length: int  # tokens of an example
    width: int  # numbers that stand for a token
    layers: int
    classes: int  # different tokens

    def with_twice_the_batch(self):
        return replace(self, batch=2 * self.batch)

    def with_half_the_width(self):
        return replace(self, width=self.width // 2)


# One model five times, each made to be slow for another reason.
MODELS = {
    "products": Sizes(batch=4, length=64, width=512, layers=1, classes=128),
    "weights": Sizes(batch=1, length=2, width=1280, layers=2, classes=64),
    "activations": Sizes(batch=128, length=16, width=64, layers=1, classes=16),
    "overhead": Sizes(batch=1, length=4, width=16, layers=4, classes=16),
    "input": Sizes(batch=8, length=64, width=64, layers=2, classes=64),
}


def initial_weights(sizes):
    """Return the weights by their names, the same in all frameworks."""
    random = np.random.default_rng(0)
    width = sizes.width

    def weight(rows, columns):
        values = random.standard_normal((rows, columns)) / rows**0.5
        return values.astype("float32")

    weights = {"embedding": weight(sizes.classes, width),
               "position": weight(sizes.length, width),
               "classes": weight(width, sizes.classes)}
    for layer in range(sizes.layers):
        weights[f"attention {layer}"] = weight(width, 3 * width)
        weights[f"mix {layer}"] = weight(width, width)
        weights[f"up {layer}"] = weight(width, 4 * width)
        weights[f"down {layer}"] = weight(4 * width, width)
    return weights


def some_tokens(sizes):
    """Return a batch of tokens, one more than a model reads at once."""
    shape = (sizes.batch, sizes.length + 1)
    return np.random.default_rng(1).integers(sizes.classes, size=shape)


def operations(sizes):
    """Return the useful arithmetic operations of a training step.

    A multiplication and an addition for each number that is multiplied in a
    matrix product. The backward pass has two products for each of the forward
    pass. What is not a product is not counted.
    """
    width, tokens = sizes.width, sizes.batch * sizes.length
    layer = 12 * width**2 + 2 * sizes.length * width
    forward = 2 * tokens * (sizes.layers * layer + width * sizes.classes)
    return 3 * forward


def traffic(sizes):
    """Return the bytes that a training step has to read or write at least.

    Each weight is read forward and backward, its gradient is written and
    read, and the weight is read and written once more. What goes into or
    comes out of a product is written, and read forward and backward; its
    gradient is written and read.
    """
    width, tokens = sizes.width, sizes.batch * sizes.length
    weights = width * (12 * sizes.layers * width
                       + 2 * sizes.classes + sizes.length)
    values = tokens * (11 * sizes.layers * width + sizes.classes)
    return 4 * (6 * weights + 5 * values)


def shapes_of_products(count):
    """Return a width, and rows of matrices to be multiplied by a square.

    The products are large ones, and together as many operations as asked.
    """
    width = min(LARGE, round((count / 2) ** (1 / 3)))
    rows = max(1, round(count / 2 / width**2))
    whole, rest = divmod(rows, width)
    return width, [width] * whole + [rest] * (rest > 0)


def lengths_of_additions(count):
    """Return how long two vectors are, and how often to add them in place.

    Each addition reads two numbers and writes one: twelve bytes.
    """
    times = -(-count // 12 // LONG)
    return count // 12 // times, times
