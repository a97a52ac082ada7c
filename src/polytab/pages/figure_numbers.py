"""Figures are numbered by Sphinx from an outline of each page, kept with what is known of pages.

Sphinx's own collector reads back the document of every page for it at each build, whatever changed.

Law, guarded by tests/pages/test_figure_numbers.py: the numbers are those that Sphinx gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.environment.collectors.toctree import TocTreeCollector

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_OUTLINE = "polytab_outline"
"""The key, in the metadata of a page, of its outline."""

_NEEDED = (nodes.section, addnodes.toctree, nodes.caption, nodes.title)
"""What numbers depend on: where a figure stands, in which order pages do, and its caption."""

_LATE = 950


class OutlineCollector(TocTreeCollector):
    """Sphinx's own, which is shown outlines where it asks for documents."""

    def assign_figure_numbers(self, env: BuildEnvironment) -> list[str]:
        """Give figures their numbers; return the pages whose numbers are others than before."""
        return super().assign_figure_numbers(cast("BuildEnvironment", _Outlines(env)))


class _Outlines:
    """The environment of a build, in which a document is its outline."""

    def __init__(self, env: BuildEnvironment) -> None:
        object.__setattr__(self, "_env", env)

    def get_doctree(self, page: str) -> nodes.Element:
        """Return the outline of a page."""
        outline: nodes.Element = self._env.metadata[page][_OUTLINE]
        return outline

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the environment has
        return getattr(self._env, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._env, name, value)


def _note_outline(app: Sphinx, document: nodes.document) -> None:
    """Keep the outline of a page that was read."""
    outline = nodes.container()
    outline += [made for each in document.children if (made := _outline(app.env, each))]
    for each in outline.findall():
        each.document = None  # type: ignore[assignment]  # or all of it would be kept
    app.env.metadata[app.env.docname][_OUTLINE] = outline


def _outline(env: BuildEnvironment, node: nodes.Node) -> nodes.Element | None:
    """Return what is needed of a part of a page; None where nothing is."""
    if isinstance(node, nodes.caption | nodes.title):
        return node.deepcopy()
    if not isinstance(node, nodes.Element):
        return None
    inner = [made for each in node.children if (made := _outline(env, each))]
    numbered = any(domain.get_enumerable_node_type(node) for domain in env.domains.sorted())
    if not inner and not numbered and not isinstance(node, _NEEDED):
        return None
    outline = node.copy()
    outline += inner
    return outline


def setup_figure_numbers(app: Sphinx) -> None:
    """Have our collector number figures where Sphinx's would."""
    for listener in tuple(app.events.listeners["env-get-updated"]):
        if isinstance(getattr(listener.handler, "__self__", None), TocTreeCollector):
            app.disconnect(listener.id)
    app.connect("env-get-updated", OutlineCollector().get_updated_docs)
    app.connect("doctree-read", _note_outline, priority=_LATE)
