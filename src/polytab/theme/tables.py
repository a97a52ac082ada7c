"""Tables: each in a box that scrolls, and no header cell that heads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator


class empty_header(nodes.entry):  # noqa: N801  # docutils names nodes in lower case
    """A cell of a header row without content, which is written as an ordinary cell."""


class WideTables(SphinxPostTransform):
    """Put each table into a box of its own, which scrolls where the table is too wide."""

    default_priority = 500
    formats = ("html",)

    def run(self, **_kwargs: object) -> None:
        """Wrap the tables of the document, and mark the empty cells of their header rows."""
        for table in list(self.document.findall(nodes.table)):
            box = nodes.container(classes=["table-wrapper"])
            table.parent.replace(
                table, box
            )  # `replace_self` would give the box its classes and ids
            box += table
        for head in list(self.document.findall(nodes.thead)):
            for entry in list(head.findall(nodes.entry)):
                if not entry.astext().strip() and next(entry.findall(nodes.image), None) is None:
                    entry.replace_self(empty_header("", **entry.attributes))


def _visit_empty_header(translator: HTML5Translator, node: empty_header) -> None:
    """Write `<td>`: a `<th>` without a name is announced as a heading of its column."""
    spans = {
        name: node[key] + 1
        for name, key in (("rowspan", "morerows"), ("colspan", "morecols"))
        if key in node
    }
    node.parent.column += 1 + node.get("morecols", 0)  # type: ignore[union-attr]  # docutils counts
    translator.body.append(translator.starttag(node, "td", "", **spans) + "</td>\n")
    raise nodes.SkipNode


def setup_tables(app: Sphinx) -> None:
    """Add the transform and its node."""
    app.add_node(empty_header, html=(_visit_empty_header, None))
    app.add_post_transform(WideTables)
