"""Settings of Sphinx and sphinx-tabs that a book need not repeat; its conf.py may say otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from polytab.theme import NAME

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

DEFAULTS = {
    "html_theme": NAME,
    "html_copy_source": False,  # the repository has the sources
    "html_show_sphinx": False,
    "html_use_index": False,
    "sphinx_tabs_disable_css_loading": True,  # the tabs' look and behaviour are ours
    "sphinx_tabs_disable_tab_closing": True,
}


def _set_defaults(app: Sphinx) -> None:
    known = app.config.values
    for name, value in DEFAULTS.items():
        before = known[name]
        known[name] = type(before)(value, before.rebuild, before.valid_types)


def _check_theme(_app: Sphinx, config: Config) -> None:
    """Refuse another theme: it would show pages without the tabs' chooser, search and languages."""
    if config.html_theme != NAME:
        raise ConfigError(
            f'html_theme is "{config.html_theme}", but pages of polytab need its own theme: '
            f'write html_theme = "{NAME}" in conf.py, or leave it out'
        )


def setup_defaults(app: Sphinx) -> None:
    """Change what Sphinx takes where a conf.py says nothing."""
    _set_defaults(app)
    app.connect("config-inited", _check_theme, priority=100)
