"""The Content-Security-Policy of every published page: it runs the scripts of its own site alone.

No page has a script or a style of its own, so the policy is the same everywhere. What is not named
may not be loaded. A preview has none: its server writes a script into each page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_DIRECTIVES = (
    "default-src 'none'",
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


def _add_policy(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    context["polytab_policy"] = POLICY if app.config.polytab_published else ""


def setup_policy(app: Sphinx) -> None:
    """Have the layout write the policy as the first thing in the head of a published page."""
    app.connect("html-page-context", _add_policy)
