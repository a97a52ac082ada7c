"""Names that nobody translates in a catalog: those of frameworks, and of the book.

A paragraph, heading or label that is a framework's title stays as it is. One that is the book's
title becomes the title that the settings give the book in the language of the page.

Law, guarded by tests/pages/translated/test_names.py: no catalog asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class KeepNames(SphinxTransform):
    """Take names out of what is translated, before Sphinx collects its messages."""

    default_priority = 9  # Sphinx collects at 10

    def apply(self, **_: Any) -> None:  # noqa: ANN401  # the signature is Sphinx's
        """Mark what is nothing but a name, and put in the book's title in the page's language."""
        inputs = inputs_of(self.env)
        frameworks = {each.title for each in inputs.settings.frameworks}
        for node in self.document.findall(nodes.TextElement):
            said = node.rawsource.strip()
            if said in frameworks:
                node["translatable"] = False
            elif said == inputs.settings.title:
                node["translatable"] = False
                node.children = []
                node.append(nodes.Text(inputs.language(self.env).title))


def setup_names(app: Sphinx) -> None:
    """Add the transform."""
    app.add_transform(KeepNames)
