"""The wing that reads recordings: a Sphinx extension on MyST-NB and sphinx-tabs.

Each module holds one rendered thing, its node classes with their visitors, and its
`setup_<thing>`. Rendering never executes: nothing here can start a kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.model import digest
from polytab.pages.code.chooser import setup_reader
from polytab.pages.code.devices import setup_devices
from polytab.pages.code.outputs import setup_outputs
from polytab.pages.code.snippet import setup_snippet
from polytab.pages.code.switch import setup_switch
from polytab.pages.colours import setup_colours
from polytab.pages.drawing import setup_drawing
from polytab.pages.formulas import setup_formulas
from polytab.pages.frame.article import setup_frame
from polytab.pages.frame.head import setup_head
from polytab.pages.frame.languages import setup_language
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
    setup_reader,
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
)
_ENGINE = Path(__file__).parents[1]
_STATIC = Path(__file__).parent / "static"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up everything a page of ours may use."""
    for extension in ("myst_nb", "sphinx_tabs.tabs"):
        app.setup_extension(extension)
    app.add_config_value("polytab_strict", default=False, rebuild="env", types=bool)
    app.add_config_value("polytab_engine", default=_engine(), rebuild="env", types=str)
    for set_up in _THINGS:
        set_up(app)
    # Before sphinx-tabs does the same: of two files of one name the later folder's is kept.
    app.connect("builder-inited", _add_static, priority=400)
    for sheet in ("polytab.css", "language.css"):
        app.add_css_file(sheet)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _engine() -> str:
    """Name the engine's files as they are: pages that another engine wrote are written anew."""
    files = sorted(each for each in _ENGINE.rglob("*") if each.is_file() and each.suffix != ".pyc")
    return digest(
        "".join(f"{each.relative_to(_ENGINE)} {digest(each.read_bytes())}" for each in files)
    )


def _add_static(app: Sphinx) -> None:
    """Let a handbook's own static files win over ours."""
    app.config.html_static_path = [str(_STATIC), *app.config.html_static_path]
