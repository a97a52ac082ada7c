"""Which pages are written again though they were not read again: what they show of others changed.

Sphinx writes what it has read, and what lists it. But every page shows the titles of all pages in
its sidebar, and a page may name the headings, figures, equations and terms of any other.

Invariant, guarded by tests/site/test_edits.py: the pages of a second build are those of a first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx import addnodes

from polytab.model import digest
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_SHOWN = "polytab_shown"
"""The key, in the metadata of a page, of the digest of what others were when it was written."""

_DOMAINS = ("std", "math")
_LATE = 900
"""After Sphinx has numbered sections and figures, which it does at `env-get-updated`."""


def _showing_others(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Name the pages that were written when other pages had other titles, places or names."""
    if app.builder.format != "html":
        return []
    now = digest(repr((_titles(env), _names(env), bool(inputs_of(app).last_commit_days()))))
    found = [page for page in sorted(env.found_docs) if env.metadata[page].get(_SHOWN) != now]
    for page in found:
        env.metadata[page][_SHOWN] = now
    return found


def _titles(env: BuildEnvironment) -> list[object]:
    """Return what the sidebar shows of pages: their titles, and the lists in which they stand."""
    titles = [(page, env.titles[page].pformat()) for page in sorted(env.titles)]
    lists = [
        (page, [repr(each.attributes) for each in env.tocs[page].findall(addnodes.toctree)])
        for page in sorted(env.tocs)
    ]
    return [titles, lists]


def _names(env: BuildEnvironment) -> list[object]:
    """Return what a page can name in another: headings, figures, equations, terms."""
    known: dict[str, dict[Any, Any]] = {
        f"{domain} {name}": values
        for domain in _DOMAINS
        for name, values in env.domaindata.get(domain, {}).items()
        if isinstance(values, dict)
    }
    slugs = {
        page: {slug: found[1:] for slug, found in data.get("myst_slugs", {}).items()}  # no lines
        for page, data in env.metadata.items()
    }
    everything: dict[str, Mapping[Any, Any]] = {**known, "slugs": slugs}
    everything |= {"sections": env.toc_secnumbers, "figures": env.toc_fignumbers}
    return [(name, sorted(map(repr, values.items()))) for name, values in everything.items()]


def _name_pictures(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Name the files of pictures by their places alone; return the pages that show a renamed one.

    Sphinx numbers those of one name in the order in which pages were read.
    """
    named = type(env.images)()
    for file, (pages, _name) in sorted(env.images.items()):
        for page in sorted(pages):
            named.add_file(page, file)
    renamed = [pages for file, (pages, name) in named.items() if env.images[file][1] != name]
    env.images = named
    return sorted(set().union(*renamed))


def setup_written_again(app: Sphinx) -> None:
    """Have pages written that would otherwise show what is no longer so."""
    app.connect("env-updated", _name_pictures, priority=_LATE)
    app.connect("env-get-updated", _showing_others, priority=_LATE)
