"""Sphinx settings of a site whose directive `where` says in which tab it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from polytab.model import Framework
from polytab.pages.code.tabs import current_tab, tab_set

if TYPE_CHECKING:
    from sphinx.application import Sphinx

extensions = ["myst_nb", "sphinx_tabs.tabs", "polytab.theme"]
myst_enable_extensions = ["colon_fence"]
html_theme = "polytab"


class Where(SphinxDirective):
    """Write the tab this stands in."""

    def run(self) -> list[nodes.Node]:
        """Ask when the page is read, as our directives do."""
        return [nodes.paragraph("", str(current_tab(self)), classes=["where"])]


class Both(SphinxDirective):
    """Write a tab set of our own."""

    def run(self) -> list[nodes.Node]:
        """Ask for two tabs with the same directive."""
        frameworks = [Framework("torch", "PyTorch"), Framework("jax", "JAX")]
        return tab_set(self, frameworks, ":::{where}\n:::")


def setup(app: Sphinx) -> None:
    """Add the directives."""
    app.add_directive("where", Where)
    app.add_directive("both", Both)
