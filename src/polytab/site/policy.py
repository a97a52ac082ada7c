"""What a published page may load and run: its Content-Security-Policy, and the check against it.

Every page of a language has the same policy, `POLICY`: no page has a script or a style of its own.
Sphinx is told it and the layout writes it first into the head; a preview has none, as its server
writes a script into each page. The pages above the languages bring a style and a script of their
own, and a policy that names them by their digests. What a policy would stop is a finding: a reader
should not be the first to notice.

Law, guarded by tests/site/test_policy.py: every published page begins its head with a policy, and
no policy allows more than `POLICY` but styles and scripts that it names by their digests.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from polytab.model import Finding
from polytab.site.html import elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from polytab.settings import Settings
    from polytab.site.html import Element

    Sources = dict[str, frozenset[str]]

_DIRECTIVES = (
    "default-src 'none'",  # what is not named below is not loaded
    "script-src 'self' 'wasm-unsafe-eval'",  # Pagefind is compiled to WebAssembly
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)
POLICY = "; ".join(_DIRECTIVES)
"""The policy of every page that Sphinx writes."""

_RULE = "policy"
_LINKS = frozenset({"href", "src", "action", "formaction", "xlink:href"})
_PROGRAMS = frozenset({"", "module", "importmap", "text/javascript", "application/javascript"})
"""The types of scripts that are run; others are data."""

_LOADING = frozenset({"script", "img", "source", "track", "audio", "video"})
"""The elements whose `src` is loaded with the page."""

_FRAMES = frozenset({"iframe", "frame", "object", "embed"})


def digest_source(text: str) -> str:
    """Name an inline script or style as a policy does: by its SHA-256."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def check_policies(
    settings: Settings, found: Mapping[str, Iterable[tuple[int, str]]]
) -> Iterator[Finding]:
    """Find pages without their policy, and what one stops; `found` has `complaints` by path."""
    for path, complaints_of_page in found.items():
        for line, said in complaints_of_page:
            yield Finding(settings.site / path, line, _RULE, said)


def complaints(root: Element) -> Iterator[tuple[int, str]]:
    """Say what is wrong with the policy of a page, and what it stops, each with its line."""
    policy = _policy(root)
    if policy is None:
        yield 1, "the page does not begin its head with its policy"
    elif more := _allowed_beside(policy):
        yield 1, f"the page's policy allows more than that of all pages: {', '.join(more)}"
    for element in elements(root):
        for said in _stopped(element, policy or {}):
            yield element.line, said


def _policy(root: Element) -> Sources | None:
    """Return the policy that a page's head begins with."""
    head = root.find("html/head")
    if head is None or (head.text or "").strip():
        return None
    first = next(iter(head), None)
    if first is None or first.get("http-equiv", "").lower() != "content-security-policy":
        return None
    return _sources(first.get("content", ""))


def _sources(policy: str) -> Sources:
    """Split a policy into what each of its directives allows."""
    parts = (each.split() for each in policy.split(";"))
    return {name: frozenset(allowed) for name, *allowed in (each for each in parts if each)}


def _allowed_beside(policy: Sources) -> list[str]:
    """Name the directives that allow more than the policy of all pages and inline digests."""
    usual = _sources(POLICY)
    fallback = usual["default-src"]
    said = [name for name in usual if name not in policy and name.endswith(("-uri", "-action"))]
    for name, allowed in policy.items():
        beside = allowed - usual.get(name, fallback) - {"'none'"}
        if any(not each.startswith("'sha256-") for each in beside):
            said.append(name)
    return said if "default-src" in policy else ["default-src", *said]


def _stopped(element: Element, policy: Sources) -> Iterator[str]:
    """Say what of an element would do nothing, and why."""
    yield from _stopped_attributes(element)
    if element.tag == "base":
        yield "`base` is not allowed"
    elif element.tag in _FRAMES:
        yield f"`{element.tag}` is not shown"
    elif element.tag == "style" and not _is_named(element, policy, "style-src"):
        yield "an inline style has no effect: put it into a file"
    elif element.tag == "script" and "src" not in element.attrib:
        is_run = element.get("type", "").lower() in _PROGRAMS
        if is_run and not _is_named(element, policy, "script-src"):
            yield "an inline script is not run: put it into a file"
    elif _is_elsewhere(element):
        yield "a file of another host is not loaded: bring it along"


def _stopped_attributes(element: Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        scheme = "".join(value.split()).lower()  # browsers take no notice of space in it
        if name.startswith("on"):
            yield f"the handler `{name}` is not run"
        elif name == "style":
            yield f'`style="{value}"` has no effect'
        elif name in _LINKS and scheme.startswith("javascript:"):
            yield f"the link `{value}` does nothing"


def _is_named(element: Element, policy: Sources, directive: str) -> bool:
    """Tell whether a policy names an inline script or style by its digest."""
    return digest_source(element.text or "") in policy.get(directive, frozenset())


def _is_elsewhere(element: Element) -> bool:
    """Tell whether an element loads a file from another host."""
    address = element.get("src", "") if element.tag in _LOADING else ""
    if element.tag == "link" and "stylesheet" in element.get("rel", "").lower().split():
        address = element.get("href", "")
    try:
        parts = urlsplit(address)
    except ValueError:
        return True
    return bool(parts.netloc) or parts.scheme not in {"", "data"}
