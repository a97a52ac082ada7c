"""The rules and variables of a stylesheet, and the classes of a page, that serve for nothing.

Laws, guarded by tests/site/test_unused.py: a rule goes only if every one of its selectors names,
outside `:is()`, `:not()` and their like, an element, a class or an id that neither a page nor a
script mentions. What a rule says, and the order of rules, stay as they are. A class goes only if no
stylesheet and no script has its name, whole or in part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import tinycss2

from polytab.errors import PolytabError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_TAG = re.compile(r"<([a-zA-Z][\w-]*)")
_NAMES = re.compile(r'\s(?:class|id)="([^"]*)"')
_WORD = re.compile(r"[\w-]+")
_ASKED = re.compile(r"--[\w-]+(?!\s*:)(?![\w-])")
_IMPLIED = frozenset({"html", "head", "body", "tbody"})
"""What browsers add of themselves."""

_READ = frozenset({"notranslate", "external", "std-numref", "caption-number"})
"""The classes that are read by others: translators in browsers, and `polytab.search.index`."""

_CLASSES = re.compile(r'(<[a-z][^<>]*?) class="([^"]*)"')

_GROUPS = frozenset({"media", "supports", "layer", "container"})
"""The at-rules that hold rules."""


@dataclass(frozen=True)
class Mentioned:
    """What pages and scripts mention: elements, classes, ids, and all else that may be a name."""

    elements: frozenset[str]
    names: frozenset[str]
    text: str


def mentioned(pages: Iterable[str], scripts: Iterable[str]) -> Mentioned:
    """Collect the names in pages; of scripts, any word may be one."""
    markup, code = "\n".join(pages), "\n".join(scripts)
    words = frozenset(_WORD.findall(code))
    names = {name for value in _NAMES.findall(markup) for name in value.split()}
    elements = {name.lower() for name in _TAG.findall(markup)}
    return Mentioned(words | _IMPLIED | elements, words | names, markup + code)


def without_unused(sheet: str, known: Mentioned) -> str:
    """Return a stylesheet without the rules that can match nothing that is mentioned."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=False, skip_whitespace=True)
    return _without_variables(_rewrite(rules, partial(_used, known=known)), known)


def without_unnamed(markup: str, files: Iterable[str]) -> str:
    """Return a page without the classes that these stylesheets and scripts do not name."""
    text = "\n".join(files)
    words = _READ.union(_WORD.findall(text))
    parts = re.findall(r"\[class[*^$|~]?=\s*[\"']?([\w-]+)", text)

    def keep(found: re.Match[str]) -> str:
        named = [
            name
            for name in found[2].split()
            if name in words or any(part in name for part in parts)
        ]
        return f'{found[1]} class="{" ".join(named)}"' if named else found[1]

    return _CLASSES.sub(keep, markup)


def _rewrite(rules: Iterable[Any], write: Callable[[Any], str]) -> str:
    """Write each rule with selectors anew, in groups too; a group with nothing in it goes."""
    text = ""
    for rule in rules:
        if rule.type == "error":
            raise PolytabError(f"a stylesheet has a fault: {rule.message}")
        if rule.type == "qualified-rule":
            text += write(rule)
        elif rule.type == "at-rule" and rule.lower_at_keyword in _GROUPS and rule.content:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if inside := _rewrite(inner, write):
                text += f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inside}}}"
        else:
            text += rule.serialize()
    return text


def _used(rule: Any, known: Mentioned) -> str:  # noqa: ANN401  # tinycss2 has no types
    """Write a rule with the selectors that may match something."""
    kept = [each for each in _selectors(rule.prelude) if _may_match(each, known)]
    if not kept:
        return ""
    selectors = ",".join(tinycss2.serialize(each) for each in kept)
    return f"{selectors}{{{tinycss2.serialize(rule.content)}}}"


def _selectors(prelude: Iterable[Any]) -> list[list[Any]]:
    """Split a list of selectors at its commas; those inside of brackets are not its own."""
    found: list[list[Any]] = [[]]
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            found.append([])
        else:
            found[-1].append(token)
    return found


def _may_match(selector: Iterable[Any], known: Mentioned) -> bool:
    before = ""
    for token in selector:
        if token.type == "hash" and token.value not in known.names:
            return False
        if token.type == "ident":
            if before == "." and token.value not in known.names:
                return False
            if before not in {".", ":"} and token.lower_value not in known.elements:
                return False
        before = token.value if token.type == "literal" else ""
    return True


def _without_variables(sheet: str, known: Mentioned) -> str:
    """Leave out variables that nothing reads; then those that only such ones have read."""
    elsewhere = set(_ASKED.findall(known.text))
    while True:
        read = elsewhere | set(_ASKED.findall(sheet))
        rules = tinycss2.parse_stylesheet(sheet, skip_comments=False, skip_whitespace=True)
        after = _rewrite(rules, partial(_reading, read=read))
        if after == sheet:
            return sheet
        sheet = after


def _reading(rule: Any, read: set[str]) -> str:  # noqa: ANN401  # tinycss2 has no types
    """Write a rule without the variables that nothing reads."""
    said = "".join(
        each.serialize() + (";" if each.type == "declaration" else "")
        for each in tinycss2.parse_blocks_contents(
            rule.content, skip_comments=True, skip_whitespace=True
        )
        if not (each.type == "declaration" and _is_unread(each.name, read))
    )
    return f"{tinycss2.serialize(rule.prelude)}{{{said}}}" if said else ""


def _is_unread(name: str, read: set[str]) -> bool:
    return name.startswith("--") and name not in read
