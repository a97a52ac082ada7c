"""A finished page -> its pieces in order: Markdown, and the cells that stand between.

A page is read for one framework, and then holds nothing of the others, or for none, and then each
tab is named and code and outputs are text as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import admonitionlabels

from polytab.export.figures import figure_name
from polytab.export.inline import escape, escape_starts, inline
from polytab.export.pieces import Call, Prose, fenced, listed, prefix_lines, prose
from polytab.model import PLAIN
from polytab.pages.code.devices import TITLES, device_part
from polytab.pages.code.snippet import notice, provenance, snippet
from polytab.pages.code.tabs import panels_of
from polytab.pages.drawing import drawing
from polytab.pages.forms.title import form_title
from polytab.pages.numbers.benchmark import benchmark
from polytab.pages.numbers.roles import framework_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from polytab.export.inline import Link
    from polytab.export.pieces import Piece
    from polytab.model import Framework

_SKIPPED = (
    *(nodes.Invisible, nodes.raw, nodes.image, nodes.system_message, nodes.colspec),
    *(addnodes.toctree, addnodes.index),
)


@dataclass(frozen=True)
class MarkdownWriter:
    """Writes a page for one framework, or for all where there is none.

    `as_text` names frameworks whose cells are written as text, not as calls; `figures` numbers
    the figures by their ids. Where `names_pictures`, a figure names its picture; elsewhere it is
    told in words.
    """

    framework: Framework | None
    link: Link
    as_text: frozenset[str] = frozenset()
    figures: Mapping[str, str] = field(default_factory=dict)
    names_pictures: bool = False

    def write(self, node: nodes.Node, depth: int = 0) -> list[Piece]:
        """Write what a node holds, if it is for this framework; `depth` counts its sections."""
        if not isinstance(node, nodes.Element) or isinstance(node, _SKIPPED):
            return []
        if not self.is_mine(node):
            return []
        known = (_WRITERS[kind] for kind in type(node).__mro__ if kind in _WRITERS)
        return next(known, _children)(self, node, depth)

    def write_all(self, children: Iterable[nodes.Node], depth: int) -> list[Piece]:
        """Write nodes one after another."""
        return [piece for child in children for piece in self.write(child, depth)]

    def is_mine(self, node: nodes.Node) -> bool:
        """Tell whether a node speaks of this framework, or of no one in particular."""
        owners = node.get("frameworks", ()) if isinstance(node, nodes.Element) else ()
        if self.framework is None or not owners:
            return True
        return not {self.framework.name, PLAIN}.isdisjoint(owners)

    def inline(self, node: nodes.Element) -> str:
        """Write the content of a paragraph; what only names the frameworks is left out."""
        return inline(self._mine(node), self.link).strip()

    def _mine(self, node: nodes.Element) -> list[nodes.Node]:
        """Return the content of a paragraph that is of this framework, or of none in particular."""
        if self.framework is None:
            return node.children
        opened = (
            [*each.children] if isinstance(each, framework_numbers) else [each]
            for each in node.children
        )
        flat = chain.from_iterable(opened)
        return [each for each in flat if not _is_run_in(each) and self.is_mine(each)]


def _children(writer: MarkdownWriter, node: nodes.Element, depth: int) -> list[Piece]:
    return writer.write_all(node.children, depth)


def _section(writer: MarkdownWriter, node: nodes.section, depth: int) -> list[Piece]:
    return writer.write_all(node.children, depth + 1)


def _title(writer: MarkdownWriter, node: nodes.title, depth: int) -> list[Piece]:
    return prose("#" * min(depth, 6) + " " + writer.inline(node).replace("\n", " "))


def _rubric(writer: MarkdownWriter, node: nodes.rubric, _depth: int) -> list[Piece]:
    return prose(f"**{writer.inline(node)}**")


def _form_title(writer: MarkdownWriter, node: form_title, _depth: int) -> list[Piece]:
    return prose(f"**{escape(node['prefix'])}{writer.inline(node)}**")


def _paragraph(writer: MarkdownWriter, node: nodes.paragraph, _depth: int) -> list[Piece]:
    return prose(escape_starts(writer.inline(node)))


def _literal_block(_writer: MarkdownWriter, node: nodes.literal_block, _depth: int) -> list[Piece]:
    return prose(fenced(node.astext(), node.get("language", "")))


def _math_block(_writer: MarkdownWriter, node: nodes.math_block, _depth: int) -> list[Piece]:
    return prose(f"$$\n{node.astext().strip()}\n$$")


def _transition(_writer: MarkdownWriter, _node: nodes.transition, _depth: int) -> list[Piece]:
    return prose("---")


def _footnote(writer: MarkdownWriter, node: nodes.footnote, depth: int) -> list[Piece]:
    labels = [str(each.astext()) for each in node.findall(nodes.label)]
    rest = (each for each in node.children if not isinstance(each, nodes.label))
    return prefix_lines(rf"\[{''.join(labels)}\] ", writer.write_all(rest, depth), indent="")


def _bullet_list(writer: MarkdownWriter, node: nodes.bullet_list, depth: int) -> list[Piece]:
    items = [prefix_lines("- ", writer.write_all(item.children, depth)) for item in node.children
             if isinstance(item, nodes.Element)]  # fmt: skip
    return listed(items)


def _enumerated_list(
    writer: MarkdownWriter, node: nodes.enumerated_list, depth: int
) -> list[Piece]:
    start = node.get("start", 1)
    return listed(
        [
            prefix_lines(f"{number}. ", writer.write_all(item.children, depth))
            for number, item in enumerate(node.children, start)
            if isinstance(item, nodes.Element)
        ]
    )


def _definition_list_item(
    writer: MarkdownWriter, node: nodes.definition_list_item, depth: int
) -> list[Piece]:
    terms = [each for each in node.children if isinstance(each, nodes.term)]
    meaning = [each for each in node.children if isinstance(each, nodes.definition)]
    named = ", ".join(f"**{writer.inline(each)}**" for each in terms)
    return prefix_lines("- ", [*prose(named), *writer.write_all(meaning, depth)])


def _block_quote(writer: MarkdownWriter, node: nodes.block_quote, depth: int) -> list[Piece]:
    return prefix_lines("> ", writer.write_all(node.children, depth), indent="> ")


def _admonition(writer: MarkdownWriter, node: nodes.Element, depth: int) -> list[Piece]:
    children = list(node.children)
    if children and isinstance(children[0], nodes.title):
        name = writer.inline(children.pop(0))  # type: ignore[arg-type]  # it is a title
    else:
        name = str(admonitionlabels.get(node.tagname, node.tagname))
    inside = [*prose(f"**{name}**"), *writer.write_all(children, depth)]
    return prefix_lines("> ", inside, indent="> ")


def _figure(writer: MarkdownWriter, node: nodes.figure, depth: int) -> list[Piece]:
    """Write a figure's caption, and its picture by name or what it shows."""
    numbers = [f"**{writer.figures[each]}**" for each in node["ids"] if each in writer.figures]
    captions = [writer.inline(each) for each in node.findall(nodes.caption)]
    inside = prose(" ".join([*numbers[:1], *captions]))
    for shape in node.findall(drawing):
        said = escape(shape["labels"].get(shape["alt"], shape["alt"]))
        picture = f"![{said}][{figure_name(node)}]"
        inside += prose(picture if writer.names_pictures else f"*({said})*")
    for image in node.findall(nodes.image):
        if writer.names_pictures:
            inside += prose(f"![{escape(image.get('alt', ''))}][{figure_name(node)}]")
    legend = [each for each in node.children if isinstance(each, nodes.legend)]
    return prefix_lines("> ", [*inside, *writer.write_all(legend, depth)], indent="> ")


def _table(writer: MarkdownWriter, node: nodes.table, _depth: int) -> list[Piece]:
    group = next(node.findall(nodes.tgroup))
    heads = [row for head in group.findall(nodes.thead) for row in head.children]
    rows = [row for body in group.findall(nodes.tbody) for row in body.children]
    lines = [_row(writer, row) for row in rows if writer.is_mine(row)]
    if not lines:
        return []
    head = _row(writer, heads[0]) if heads else [""] * len(lines[0])
    table = [head, ["---"] * len(head), *lines]
    caption = next((f"**{writer.inline(each)}**\n\n" for each in node.findall(nodes.title)), "")
    return prose(caption + "\n".join(f"| {' | '.join(line)} |" for line in table))


def _row(writer: MarkdownWriter, row: nodes.Node) -> list[str]:
    cells: list[str] = []
    for entry in row.findall(nodes.entry):
        pieces = writer.write_all(entry.children, 0)
        text = "<br>".join(each.text for each in pieces if isinstance(each, Prose))
        cells.append(re.sub(r"\s*\n\s*", " ", text).replace("|", r"\|"))
    return cells


def _container(writer: MarkdownWriter, node: nodes.container, depth: int) -> list[Piece]:
    if "sphinx-tabs" not in node["classes"]:
        return writer.write_all(node.children, depth)
    written: list[Piece] = []
    for label, panel in panels_of(node):
        if writer.framework is None:
            written += prose(f"**{label}**")
        if writer.framework is None or label == writer.framework.title:
            written += writer.write_all(panel.children, depth)
    return written


def _snippet(writer: MarkdownWriter, node: snippet, depth: int) -> list[Piece]:
    name = node["framework"]
    if writer.framework is not None and name not in {writer.framework.name, PLAIN}:
        return []
    if writer.framework is None or name in writer.as_text:
        return writer.write_all(node.children, depth)
    said = tuple(each.astext() for each in node.children if isinstance(each, notice))
    return [Call(name, node["label"], said)]


def _device_part(writer: MarkdownWriter, node: device_part, depth: int) -> list[Piece]:
    named = prose(f"**{TITLES[str(node['device'])]}**")
    return [*named, *writer.write_all(node.children[1:], depth)]


def _provenance(writer: MarkdownWriter, node: provenance, _depth: int) -> list[Piece]:
    return prose(f"*{writer.inline(node)}*")


def _benchmark(writer: MarkdownWriter, node: benchmark, depth: int) -> list[Piece]:
    """Write the table alone: the line under a chart speaks of the chart."""
    rest = (each for each in node.children if not isinstance(each, provenance))
    return writer.write_all(rest, depth)


_WRITERS: Mapping[type, Callable[[MarkdownWriter, Any, int], list[Piece]]] = {
    nodes.section: _section,
    nodes.title: _title,
    nodes.rubric: _rubric,
    form_title: _form_title,
    nodes.paragraph: _paragraph,
    nodes.literal_block: _literal_block,
    nodes.math_block: _math_block,
    nodes.transition: _transition,
    nodes.footnote: _footnote,
    nodes.bullet_list: _bullet_list,
    nodes.enumerated_list: _enumerated_list,
    nodes.definition_list_item: _definition_list_item,
    nodes.block_quote: _block_quote,
    nodes.Admonition: _admonition,
    nodes.figure: _figure,
    nodes.table: _table,
    nodes.container: _container,
    snippet: _snippet,
    device_part: _device_part,
    provenance: _provenance,
    benchmark: _benchmark,
}
"""How each kind of node is written, and those derived from it; any other as its children."""


def _is_run_in(node: nodes.Node) -> bool:
    """Tell whether this only names the frameworks of which a verdict is true."""
    return isinstance(node, nodes.Element) and bool(node.get("run_in"))
