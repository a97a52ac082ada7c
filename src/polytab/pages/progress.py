"""What Sphinx does, told while it does it: which pages it reads, and why; each that is done.

Guarded by tests/pages/test_progress.py.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from os.path import relpath
from typing import TYPE_CHECKING

from sphinx.environment import CONFIG_CHANGED, CONFIG_OK

from polytab.pages.inputs import inputs_of
from polytab.sphinx_process import Warned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_SETTINGS = {
    "polytab_book": "pyproject.toml or conf.py changed",
    "polytab_engine": "the engine changed",
    "polytab_strict": "--strict was added or left out",
}
"""Why all pages are read when one of these values of Sphinx's configuration is another."""

_LATE = 900


@dataclass(frozen=True)
class PagesChosen:
    """Sphinx begins to read pages: their names, by why they are read."""

    why: Mapping[str, tuple[str, ...]]
    pages: int


@dataclass(frozen=True)
class PageRead:
    """A page was read."""


@dataclass(frozen=True)
class PageWritten:
    """A page was written."""


Progress = PagesChosen | PageRead | PageWritten | Warned


def tell_progress(app: Sphinx, tell: Callable[[Progress], None]) -> None:
    """Have a build that has not begun tell what it does."""

    def chosen(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
        tell(PagesChosen(_why(app, env, pages), len(pages)))

    def read(_app: Sphinx, _document: nodes.document) -> None:
        tell(PageRead())

    def written(*about: object) -> None:
        if about[-1] is not None:  # else no document is behind it
            tell(PageWritten())

    app.connect("env-before-read-docs", chosen, priority=_LATE)
    app.connect("doctree-read", read, priority=_LATE)
    app.connect("html-page-context", written, priority=_LATE)


def _why(app: Sphinx, env: BuildEnvironment, pages: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the pages that are read, and those that are gone, by why they are."""
    if env.config_status != CONFIG_OK:
        return {_why_all(env): tuple(pages)} if pages else {}
    reasons = inputs_of(app).reasons
    found: dict[str, list[str]] = defaultdict(list)
    for page in sorted({*pages, *reasons}):
        for reason in reasons.get(page) or [_why_one(app, env, page)]:
            found[reason].append(page)
    return {reason: tuple(those) for reason, those in found.items()}


def _why_one(app: Sphinx, env: BuildEnvironment, page: str) -> str:
    """Say why a page is read of which no file is another than before."""
    source = env.doc2path(page)
    name = relpath(source, app.confdir)
    if page not in env.all_docs:
        return f"{name} is new"
    if source.stat().st_mtime_ns // 1000 > env.all_docs[page]:
        return f"{name} was saved"
    return "what is listed of other pages changed"


def _why_all(env: BuildEnvironment) -> str:
    """Say why all pages are read."""
    changed = env.config_status_extra.strip(" ()'")
    if env.config_status == CONFIG_CHANGED:
        return _SETTINGS.get(changed, f"the setting {changed} changed")
    return f"the extension {changed} changed" if changed else "there is no earlier build"
