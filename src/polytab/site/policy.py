"""The Content-Security-Policy of each page, worked out from the page as it was written.

A page may run the scripts of its own site, and those inline scripts that stand outside the
article: the theme's and ours. Their hashes are in the page's own policy, so nothing else runs. What
the policy would stop is a finding: a reader should not be the first to notice.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_RULE = "policy"
_HEAD = re.compile(r"<head[^>]*>")
_META = '<meta http-equiv="Content-Security-Policy" content="{}">'
_WRITTEN = re.compile(re.escape(_META).replace(r"\{\}", '[^"]*'))
_LINKS = frozenset({"href", "src", "action", "formaction", "xlink:href"})
_PROGRAMS = frozenset({"", "module", "text/javascript", "application/javascript"})
"""The types of scripts that are run; others are data."""


@dataclass
class Inline:
    """What a page holds that a policy is about."""

    scripts: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    stopped: list[tuple[int, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    """Collects what is inline; a script in an article is nobody's we know."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = Inline()
        self._articles = 0
        self._into: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._articles += tag == "article"
        for name, value in given.items():
            if (why := _stopped(name, value)) is not None:
                self._stop(why)
        if tag == "script" and "src" not in given and given.get("type", "") in _PROGRAMS:
            if self._articles:
                self._stop("a script in an article is not run")
            else:
                self._collect(self.found.scripts)
        elif tag == "style":
            self._collect(self.found.styles)
        elif tag == "base":
            self._stop("`base` is not allowed")

    def handle_endtag(self, tag: str) -> None:
        self._articles -= tag == "article"
        self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into[-1] += data

    def _collect(self, into: list[str]) -> None:
        into.append("")
        self._into = into

    def _stop(self, why: str) -> None:
        self.found.stopped.append((self.getpos()[0], why))


def _stopped(name: str, value: str) -> str | None:
    """Say why an attribute would do nothing, if so."""
    if name.startswith("on"):
        return f"the handler `{name}` is not run"
    if name == "style":
        return f'`style="{value}"` has no effect'
    scheme = "".join(value.split()).lower()  # browsers take no notice of space in it
    if name in _LINKS and scheme.startswith("javascript:"):
        return f"the link `{value}` does nothing"
    return None


def read_inline(markup: str) -> Inline:
    """Find what a page holds that a policy is about."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.found


def policy(inline: Inline) -> str:
    """Write the policy of a page that holds this; what is not named here may not be loaded."""
    return "; ".join(
        (
            "default-src 'none'",
            # Pagefind is compiled to WebAssembly.
            f"script-src 'self' 'wasm-unsafe-eval'{_hashes(inline.scripts)}",
            f"style-src 'self'{_hashes(inline.styles)}",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hashes(texts: list[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    named = dict.fromkeys(f" 'sha256-{base64.b64encode(each).decode()}'" for each in digests)
    return "".join(named)


def protect(folder: Path) -> Iterator[Finding]:
    """Write each page's policy as the first thing in its head; say what the policies stop."""
    for page in sorted(folder.rglob("*.html")):
        before = page.read_text(encoding="utf-8")
        markup = _WRITTEN.sub("", before)
        inline = read_inline(markup)
        yield from (Finding(page, line, _RULE, why) for line, why in inline.stopped)
        head = _HEAD.search(markup)
        if head is None:
            raise PolytabError("this page has no head for its policy", file=page)
        at = head.end()
        after = markup[:at] + _META.format(policy(inline)) + markup[at:]
        if after != before:
            page.write_text(after, encoding="utf-8")
