"""The handbook of tests/sites/numbers with a page that is made of all forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.numbers_site import COMPILED_WINS, EAGER_WINS, NumbersSite

if TYPE_CHECKING:
    from pathlib import Path

FORMS = """\
# Speed

:::::{opening} Why is the *first* call slow?
:minutes: 1200
:after: plain

::::{benchmark} forward
::::

What to see in it.

:::{for-whom}
Whoever calls a model for the first time.
:::

:::{here-only}
How much it costs.
:::
:::::

## At a glance

:::{glance}
| | What compiles | Gain |
|---|---|---|
| PyTorch | `torch.compile` | {ratio}`forward: compiled vs eager` |
| JAX | `jax.jit` | {measured}`forward: eager` |
| MXNet | hybrid blocks | nothing here |
:::

## Folded

:::::{fold} For those who write *C*
Words in the fold.

::::{snippet} forward
::::
:::::

:::{fold} For those who write *C*
More words, under the same title.
:::

::::{exercise} Which is faster?
:name: which

Guess before you measure.
::::

:::::{solution} which
The compiled one.

::::{snippet} forward
::::
:::::

::::{exercise}
Measure it on your machine.
::::

See {ref}`the exercise <which>`.
"""


def write_forms(to: Path) -> NumbersSite:
    """Write the site, with a recording of each script of the page."""
    site = NumbersSite.copy(to)
    site.write("docs/speed.md", FORMS)
    site.record("torch", COMPILED_WINS)
    site.record("mxnet", EAGER_WINS)
    site.record("jax", {"eager": 5.5e-3, "compiled": 4e-3})
    return site
