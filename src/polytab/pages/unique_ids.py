"""Ids that are unique on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence


def ids_in(document: nodes.document) -> set[str]:
    """Return the ids of all elements of a page."""
    return {each for node in document.findall(nodes.Element) for each in node["ids"]}


def free_prefix(name: str, suffixes: Sequence[str], taken: set[str]) -> str:
    """Return the first of `name`, `name-2`, `name-3`, ... that makes no id of `taken`.

    An id is the prefix with one of `suffixes`. The new ids are added to `taken`.
    """
    prefix, number = name, 1
    while any(f"{prefix}{suffix}" in taken for suffix in suffixes):
        number += 1
        prefix = f"{name}-{number}"
    taken.update(f"{prefix}{suffix}" for suffix in suffixes)
    return prefix
