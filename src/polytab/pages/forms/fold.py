"""`{fold} title`: what a named kind of reader needs and others not, folded away under its title.

In HTML a fold stands open, and `static/fold.js` closes it before it is painted. So it is open
without script, in e-books and in exports; on paper the script opens it. A link into it opens it,
and the search of the site, to which each fold is a section of its own, gives such links.

Laws, guarded by tests/pages/forms/test_fold.py and tests/browser/test_folds.py: nothing in a fold
is lost without script or on paper; the id of a fold is the same in every language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from polytab.pages.forms.title import author_title, parse_content, set_id

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator


class fold(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """A title and what is folded away under it; other formats than HTML show both."""


class FoldDirective(SphinxDirective):
    """`{fold} title`; `:name:` is what links call it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {"name": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return the fold; one with nothing in it is an error."""
        self.assert_has_content()
        node = fold("", author_title(self, "summary"))
        set_id(self, node, "fold", self.arguments[0])
        parse_content(self, node)
        return [node]


def open_fold(translator: HTML5Translator, node: nodes.Element) -> None:
    """Write the start of an element that the reader can fold."""
    translator.body.append(translator.starttag(node, "details", CLASS="fold", open="open"))


def close_fold(translator: HTML5Translator, _node: nodes.Element) -> None:
    """Write its end."""
    translator.body.append("</details>\n")


def _load(
    app: Sphinx, _page: str, _template: str, _context: object, doctree: nodes.document | None
) -> None:
    """Load the script on the pages that have folds, so that it runs before they are painted."""
    if doctree is not None and next(doctree.findall(fold), None) is not None:
        app.add_js_file("fold.js")


def setup_fold(app: Sphinx) -> None:
    """Add the directive with its node, style and script."""
    app.add_node(fold, html=(open_fold, close_fold))
    app.add_directive("fold", FoldDirective)
    app.add_css_file("fold.css")
    app.connect("html-page-context", _load)
