"""`{glance}`: a table of the frameworks, from a few words for each and from measurements.

It holds one Markdown table. The first column names the frameworks, and a `{ratio}` or `{measured}`
of a row is that of its framework.

Law, guarded by tests/pages/forms/test_glance.py: no framework that has a script on the page is left
out, and none is in two rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.model import PLAIN
from polytab.pages.code.tabs import set_framework
from polytab.pages.forms.title import parse_content
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_log = logging.getLogger(__name__)


class glance(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """The table of the frameworks."""


class GlanceDirective(SphinxDirective):
    """`{glance}`, around one Markdown table."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table; what is wrong with it is a warning at the directive."""
        self.assert_has_content()
        node = glance("")
        parse_content(self, node)
        try:
            self._name_rows(_only_table(node))
        except PolytabError as error:
            _log.warning(str(error), location=self.get_location(), type="polytab", subtype="glance")
            return []
        return [node]

    def _name_rows(self, table: nodes.table) -> None:
        """Give each row its framework, and make its first cell a heading."""
        settings = inputs_of(self.env).settings
        titles = {each.title: each.name for each in settings.frameworks}
        found: list[str] = []
        for row in _rows(table):
            title = row[0].astext().strip()
            if title not in titles:
                raise PolytabError(
                    f"the row `{title}` is no framework", hint=f"known: {', '.join(titles)}"
                )
            found.append(titles[title])
            set_framework(row, titles[title], title)
            for paragraph in row[0].findall(nodes.paragraph):
                paragraph["translatable"] = False
        next(table.findall(nodes.colspec))["stub"] = 1
        for name in found:
            if found.count(name) > 1:
                title = settings.framework(name).title
                raise PolytabError(f"{title} has two rows", hint="join them")
        missing = [settings.framework(name).title for name in self._on_page() if name not in found]
        if missing:
            raise PolytabError(
                f"no row for {', '.join(missing)}, which this page speaks of",
                hint="say in a row what it has, or that it has nothing",
            )

    def _on_page(self) -> Iterable[str]:
        """Give the frameworks that have a script on this page."""
        for each in inputs_of(self.env).scripts(self.env.docname):
            if each.job.script.framework != PLAIN:
                yield each.job.script.framework


def _only_table(node: glance) -> nodes.table:
    tables = [each for each in node.children if isinstance(each, nodes.table)]
    if len(tables) != 1 or len(node.children) != 1:
        raise PolytabError("a glance holds one table and nothing else")
    return tables[0]


def _rows(table: nodes.table) -> list[nodes.row]:
    body = next(table.findall(nodes.tbody), None)
    return [] if body is None else [each for each in body.children if isinstance(each, nodes.row)]


def _open_div(translator: HTML5Translator, node: glance) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="glance"))


def _close_div(translator: HTML5Translator, _node: glance) -> None:
    translator.body.append("</div>\n")


def setup_glance(app: Sphinx) -> None:
    """Add the directive with its node and style."""
    app.add_node(glance, html=(_open_div, _close_div))
    app.add_directive("glance", GlanceDirective)
    app.add_css_file("glance.css")
