"""A finished page -> its pieces in order: Markdown, and the cells that stand between.

A page is read for one framework, and then holds nothing of the others, or for none, and then each
tab is named and code and outputs are text as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.locale import admonitionlabels

from polytab.export.inline import escape, escape_starts, inline
from polytab.model import PLAIN
from polytab.pages.code.devices import TITLES
from polytab.pages.code.snippet import notice, provenance, snippet
from polytab.pages.code.tabs import panels_of
from polytab.pages.drawing import drawing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from polytab.export.inline import Link
    from polytab.model import Framework
    from polytab.pages.code.devices import device_part
    from polytab.pages.numbers.benchmark import benchmark

_SKIPPED = (
    *(nodes.Invisible, nodes.raw, nodes.image, nodes.system_message, nodes.colspec),
    *(addnodes.toctree, addnodes.index),
)


@dataclass(frozen=True)
class Prose:
    """Some paragraphs of Markdown."""

    text: str


@dataclass(frozen=True)
class Call:
    """The place where the page shows a cell, and what it says of its output."""

    framework: str
    label: str
    notices: tuple[str, ...] = ()


Piece = Prose | Call


@dataclass(frozen=True)
class Prosaist:
    """Writes a page for one framework, or for all where there is none.

    `as_text` names frameworks whose cells are written as text, not as calls; `figures` numbers
    the figures by their ids.
    """

    framework: Framework | None
    link: Link
    as_text: frozenset[str] = frozenset()
    figures: Mapping[str, str] = field(default_factory=dict)

    def write(self, node: nodes.Node, depth: int = 0) -> list[Piece]:
        """Write what a node holds, if it is for this framework."""
        if not isinstance(node, nodes.Element) or isinstance(node, _SKIPPED):
            return []
        if not self._is_mine(node):
            return []
        for kind in type(node).__mro__:
            handler = getattr(self, f"_{kind.__name__}", None)
            if handler is not None:
                written: list[Piece] = handler(node, depth)
                return written
        if isinstance(node, nodes.Admonition):
            return self._admonition(node, depth)
        return self._all(node.children, depth)

    def _is_mine(self, node: nodes.Node) -> bool:
        """Tell whether a node speaks of this framework, or of no one in particular."""
        owners = node.get("frameworks", ()) if isinstance(node, nodes.Element) else ()
        if self.framework is None or not owners:
            return True
        return not {self.framework.name, PLAIN}.isdisjoint(owners)

    def _all(self, children: Iterable[nodes.Node], depth: int) -> list[Piece]:
        return [piece for child in children for piece in self.write(child, depth)]

    def _inline(self, node: nodes.Element) -> str:
        mine = [each for each in node.children if not (self.framework and _is_run_in(each))]
        return inline(mine, self.link).strip()

    # What a page is made of.

    def _section(self, node: nodes.section, depth: int) -> list[Piece]:
        return self._all(node.children, depth + 1)

    def _title(self, node: nodes.title, depth: int) -> list[Piece]:
        return _prose("#" * min(depth, 6) + " " + self._inline(node).replace("\n", " "))

    def _rubric(self, node: nodes.rubric, _depth: int) -> list[Piece]:
        return _prose(f"**{self._inline(node)}**")

    def _paragraph(self, node: nodes.paragraph, _depth: int) -> list[Piece]:
        return _prose(escape_starts(self._inline(node)))

    def _literal_block(self, node: nodes.literal_block, _depth: int) -> list[Piece]:
        return _prose(fenced(node.astext(), node.get("language", "")))

    def _math_block(self, node: nodes.math_block, _depth: int) -> list[Piece]:
        return _prose(f"$$\n{node.astext().strip()}\n$$")

    def _transition(self, _node: nodes.transition, _depth: int) -> list[Piece]:
        return _prose("---")

    def _footnote(self, node: nodes.footnote, depth: int) -> list[Piece]:
        labels = [str(each.astext()) for each in node.findall(nodes.label)]
        rest = (each for each in node.children if not isinstance(each, nodes.label))
        return _led(rf"\[{''.join(labels)}\] ", self._all(rest, depth), indent="")

    def _bullet_list(self, node: nodes.bullet_list, depth: int) -> list[Piece]:
        items = [_led("- ", self._all(item.children, depth)) for item in node.children
                 if isinstance(item, nodes.Element)]  # fmt: skip
        return _listed(items)

    def _enumerated_list(self, node: nodes.enumerated_list, depth: int) -> list[Piece]:
        start = node.get("start", 1)
        return _listed(
            [
                _led(f"{number}. ", self._all(item.children, depth))
                for number, item in enumerate(node.children, start)
                if isinstance(item, nodes.Element)
            ]
        )

    def _definition_list_item(self, node: nodes.definition_list_item, depth: int) -> list[Piece]:
        terms = [each for each in node.children if isinstance(each, nodes.term)]
        meaning = [each for each in node.children if isinstance(each, nodes.definition)]
        named = ", ".join(f"**{self._inline(each)}**" for each in terms)
        return _led("- ", [*_prose(named), *self._all(meaning, depth)])

    def _block_quote(self, node: nodes.block_quote, depth: int) -> list[Piece]:
        return _led("> ", self._all(node.children, depth), indent="> ")

    def _admonition(self, node: nodes.Element, depth: int) -> list[Piece]:
        children = list(node.children)
        if children and isinstance(children[0], nodes.title):
            name = self._inline(children.pop(0))  # type: ignore[arg-type]  # it is a title
        else:
            name = str(admonitionlabels.get(node.tagname, node.tagname))
        inside = [*_prose(f"**{name}**"), *self._all(children, depth)]
        return _led("> ", inside, indent="> ")

    def _figure(self, node: nodes.figure, depth: int) -> list[Piece]:
        """Write a figure's caption and what it shows, for it is a drawing of the page alone."""
        numbers = [f"**{self.figures[each]}**" for each in node["ids"] if each in self.figures]
        captions = [self._inline(each) for each in node.findall(nodes.caption)]
        inside = _prose(" ".join([*numbers[:1], *captions]))
        for shape in node.findall(drawing):
            inside += _prose(f"*({escape(shape['labels'].get(shape['alt'], shape['alt']))})*")
        legend = [each for each in node.children if isinstance(each, nodes.legend)]
        return _led("> ", [*inside, *self._all(legend, depth)], indent="> ")

    def _table(self, node: nodes.table, _depth: int) -> list[Piece]:
        group = next(node.findall(nodes.tgroup))
        heads = [row for head in group.findall(nodes.thead) for row in head.children]
        rows = [row for body in group.findall(nodes.tbody) for row in body.children]
        lines = [self._row(row) for row in rows if self._is_mine(row)]
        if not lines:
            return []
        head = self._row(heads[0]) if heads else [""] * len(lines[0])
        table = [head, ["---"] * len(head), *lines]
        caption = next((f"**{self._inline(each)}**\n\n" for each in node.findall(nodes.title)), "")
        return _prose(caption + "\n".join(f"| {' | '.join(line)} |" for line in table))

    def _row(self, row: nodes.Node) -> list[str]:
        cells: list[str] = []
        for entry in row.findall(nodes.entry):
            pieces = self._all(entry.children, 0)
            text = "<br>".join(each.text for each in pieces if isinstance(each, Prose))
            cells.append(re.sub(r"\s*\n\s*", " ", text).replace("|", r"\|"))
        return cells

    # What is polytab's own.

    def _container(self, node: nodes.container, depth: int) -> list[Piece]:
        if "sphinx-tabs" not in node["classes"]:
            return self._all(node.children, depth)
        written: list[Piece] = []
        for label, panel in panels_of(node):
            if self.framework is None:
                written += _prose(f"**{label}**")
            if self.framework is None or label == self.framework.title:
                written += self._all(panel.children, depth)
        return written

    def _snippet(self, node: snippet, depth: int) -> list[Piece]:
        name = node["framework"]
        if self.framework is not None and name not in {self.framework.name, PLAIN}:
            return []
        if self.framework is None or name in self.as_text:
            return self._all(node.children, depth)
        said = tuple(each.astext() for each in node.children if isinstance(each, notice))
        return [Call(name, node["label"], said)]

    def _device_part(self, node: device_part, depth: int) -> list[Piece]:
        named = _prose(f"**{TITLES[str(node['device'])]}**")
        return [*named, *self._all(node.children[1:], depth)]

    def _provenance(self, node: provenance, _depth: int) -> list[Piece]:
        return _prose(f"*{self._inline(node)}*")

    def _benchmark(self, node: benchmark, depth: int) -> list[Piece]:
        """Write the table alone: the line under a chart speaks of the chart."""
        rest = (each for each in node.children if not isinstance(each, provenance))
        return self._all(rest, depth)


def fenced(text: str, language: str) -> str:
    """Write a block of code or output; the fence is longer than any inside."""
    longest = max(map(len, re.findall(r"^\s*(`{3,})", text, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _prose(text: str) -> list[Piece]:
    return [Prose(text)] if text.strip() else []


def _led(first: str, pieces: Sequence[Piece], indent: str | None = None) -> list[Piece]:
    """Put a mark before the first line and as much room, or `indent`, before the others."""
    room = " " * len(first) if indent is None else indent
    led: list[Piece] = []
    for piece in _joined(pieces):
        if isinstance(piece, Prose):
            lines = piece.text.split("\n")
            begin = room if led else first
            rest = [f"{room}{line}" if line else room.rstrip() for line in lines[1:]]
            led.append(Prose("\n".join([begin + lines[0], *rest])))
        else:
            led.append(piece)
    return led


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Join the paragraphs that follow each other."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and isinstance(piece, Prose) and isinstance(joined[-1], Prose):
            joined[-1] = Prose(f"{joined[-1].text}\n\n{piece.text}")
        else:
            joined.append(piece)
    return joined


def _listed(items: Sequence[Sequence[Piece]]) -> list[Piece]:
    """Put the items of a list under each other."""
    flat = [piece for item in items for piece in item]
    if all(isinstance(piece, Prose) for piece in flat):
        return _prose("\n".join(piece.text for piece in flat if isinstance(piece, Prose)))
    return flat


def _is_run_in(node: nodes.Node) -> bool:
    """Tell whether this only names the frameworks of which a verdict is true."""
    return isinstance(node, nodes.Element) and bool(node.get("run_in"))
