"""The Sphinx extension that renders pages from recordings, on top of MyST-NB and sphinx-tabs.

A module or folder holds one feature: its directives, roles, transforms, node classes with their
visitors, and a `setup_<feature>(app)` that is listed below. Rendering never executes: nothing here
can start a kernel.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from polytab import __version__
from polytab.model import engine_digest
from polytab.pages.assets import add_static, setup_assets
from polytab.pages.code import setup_code
from polytab.pages.defaults import setup_defaults
from polytab.pages.drawing import setup_drawing
from polytab.pages.figure_numbers import setup_figure_numbers
from polytab.pages.forms import setup_forms
from polytab.pages.formulas import setup_formulas
from polytab.pages.frame.article import setup_frame
from polytab.pages.frame.head import setup_head
from polytab.pages.frame.languages import setup_language
from polytab.pages.frame.moved_sections import setup_moved_sections
from polytab.pages.full_disk import setup_full_disk
from polytab.pages.inputs import setup_inputs
from polytab.pages.markdown.inside_docs import setup_inside
from polytab.pages.markdown.parser import setup_markdown
from polytab.pages.markdown.toctrees import setup_toctrees
from polytab.pages.numbers import setup_numbers
from polytab.pages.quoted_warnings import setup_quoted_warnings
from polytab.pages.terms import setup_terms
from polytab.pages.translated import setup_translated
from polytab.pages.written_again import setup_written_again
from polytab.search.dialog import setup_search

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

# The order is that of <link> and <script> in a page's head and of handlers of equal priority.
# Everything else is ordered by the priorities of handlers and transforms.
_SETUPS = (
    setup_quoted_warnings,
    setup_defaults,
    setup_markdown,
    setup_inside,
    setup_toctrees,
    setup_inputs,
    setup_language,
    setup_code,
    setup_forms,
    setup_drawing,
    setup_formulas,
    setup_search,
    setup_translated,
    setup_terms,
    setup_numbers,
    setup_frame,
    setup_moved_sections,
    setup_head,
    setup_assets,
    setup_figure_numbers,
    setup_written_again,
    setup_full_disk,
)
_ENGINE = Path(__file__).parents[1]
_STATIC = (
    *("pages/charts", "pages/code", "pages/forms", "pages/formulas", "pages/frame"),
    *("pages/numbers", "pages/terms", "pages/translated"),
    "search",
)
"""The packages that have stylesheets and JavaScript of their own."""


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up MyST-NB, sphinx-tabs and the theme, then every feature of a page."""
    # The theme is found by its entry point too, but only where this package is installed as it is.
    for extension in ("myst_nb", "sphinx_tabs.tabs", "polytab.theme"):
        app.setup_extension(extension)
    app.add_config_value("polytab_strict", default=False, rebuild="env", types=bool)
    app.add_config_value("polytab_published", default=False, rebuild="html", types=bool)
    app.add_config_value("polytab_preview", default=False, rebuild="html", types=bool)
    app.add_config_value("polytab_framework", default="", rebuild="env", types=str)
    app.add_config_value("polytab_engine", default=engine_digest(), rebuild="env", types=str)
    for setup_feature in _SETUPS:
        setup_feature(app)
    for package in _STATIC:
        add_static(app, _ENGINE / package / "static")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
