"""A cell on the page: code, outputs, framework tabs, devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.pages.code.chooser import setup_chooser
from polytab.pages.code.copy import setup_copy
from polytab.pages.code.devices import setup_devices
from polytab.pages.code.outputs import setup_outputs
from polytab.pages.code.snippet import setup_snippet
from polytab.pages.code.switch import setup_switch

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_code(app: Sphinx) -> None:
    """Add `{snippet}`, the rendering of outputs, and the controls for frameworks and devices."""
    setup_devices(app)
    setup_snippet(app)
    setup_outputs(app)
    setup_chooser(app)
    setup_copy(app)
    setup_switch(app)
