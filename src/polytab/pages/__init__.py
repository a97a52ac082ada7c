"""The wing that reads recordings: a Sphinx extension on MyST-NB and sphinx-tabs.

Each module holds one rendered thing, its node classes with their visitors, and its
`setup_<thing>`. Rendering never executes: nothing here can start a kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.model import digest
from polytab.pages.assets import add_static, setup_assets
from polytab.pages.code.chooser import setup_chooser
from polytab.pages.code.colours import setup_colours
from polytab.pages.code.copy import setup_copy
from polytab.pages.code.devices import setup_devices
from polytab.pages.code.outputs import setup_outputs
from polytab.pages.code.snippet import setup_snippet
from polytab.pages.code.switch import setup_switch
from polytab.pages.defaults import setup_defaults
from polytab.pages.drawing import setup_drawing
from polytab.pages.formulas import setup_formulas
from polytab.pages.frame.article import setup_frame
from polytab.pages.frame.head import setup_head
from polytab.pages.frame.languages import setup_language
from polytab.pages.frame.policy import setup_policy
from polytab.pages.markdown.inside import setup_inside
from polytab.pages.markdown.parser import setup_markdown
from polytab.pages.numbers.benchmark import setup_benchmark
from polytab.pages.numbers.roles import setup_numbers
from polytab.pages.numbers.roofline import setup_roofline
from polytab.pages.numbers.verdict import setup_verdict
from polytab.pages.shelf import setup_shelf
from polytab.pages.translated.coverage import setup_coverage
from polytab.pages.translated.states import setup_states
from polytab.search.dialog import setup_search

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

_THINGS = (
    setup_defaults,
    setup_markdown,
    setup_inside,
    setup_shelf,
    setup_language,
    setup_devices,
    setup_snippet,
    setup_outputs,
    setup_drawing,
    setup_formulas,
    setup_colours,
    setup_chooser,
    setup_copy,
    setup_switch,
    setup_search,
    setup_states,
    setup_numbers,
    setup_verdict,
    setup_benchmark,
    setup_roofline,
    setup_coverage,
    setup_frame,
    setup_head,
    setup_policy,
    setup_assets,
)
_ENGINE = Path(__file__).parents[1]
_STATIC = (
    *(f"pages/{room}" for room in ("charts", "code", "formulas", "frame", "numbers", "translated")),
    "search",
)
"""The rooms that have stylesheets and scripts of their own."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up everything a page of ours may use."""
    # The theme is found by its entry point too, but only where this package is installed as it is.
    for extension in ("myst_nb", "sphinx_tabs.tabs", "polytab.theme"):
        app.setup_extension(extension)
    app.add_config_value("polytab_strict", default=False, rebuild="env", types=bool)
    app.add_config_value("polytab_published", default=False, rebuild="html", types=bool)
    app.add_config_value("polytab_engine", default=_engine(), rebuild="env", types=str)
    for set_up in _THINGS:
        set_up(app)
    for room in _STATIC:
        add_static(app, _ENGINE / room / "static")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _engine() -> str:
    """Name the engine's files as they are: pages that another engine wrote are written anew."""
    files = sorted(each for each in _ENGINE.rglob("*") if each.is_file() and each.suffix != ".pyc")
    return digest(
        "".join(f"{each.relative_to(_ENGINE)} {digest(each.read_bytes())}" for each in files)
    )
