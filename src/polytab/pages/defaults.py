"""Settings of Sphinx, MyST and sphinx-tabs that a book need not repeat; conf.py may change them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from polytab.settings import load_settings
from polytab.theme import NAME
from polytab.translations.rules.structure import EXTENSIONS

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

DEFAULTS = {
    "html_theme": NAME,
    "html_copy_source": False,  # the repository has the sources
    "html_show_sphinx": False,
    "html_use_index": False,
    "myst_enable_extensions": EXTENSIONS,
    "myst_footnote_transition": False,  # its line has no place to complain of beside another one
    "myst_heading_anchors": 3,
    "nitpicky": True,
    "numfig": True,
    "sphinx_tabs_disable_css_loading": True,  # the tabs' look and behaviour are ours
    "sphinx_tabs_disable_tab_closing": True,
}


def _set_defaults(app: Sphinx) -> None:
    title = load_settings(Path(app.confdir)).title
    known = app.config.values
    for name, value in {**DEFAULTS, "project": title}.items():
        before = known[name]
        known[name] = type(before)(value, before.rebuild, before.valid_types)


def _check_theme(_app: Sphinx, config: Config) -> None:
    """Refuse another theme: it would show pages without the tabs' chooser, search and languages."""
    if config.html_theme != NAME:
        raise ConfigError(
            f'html_theme is "{config.html_theme}", but pages of polytab need its own theme: '
            f'write html_theme = "{NAME}" in conf.py, or leave it out'
        )


def _check_markdown(_app: Sphinx, config: Config) -> None:
    """Refuse Markdown that the lint of translations does not read as MyST does."""
    unknown = sorted(set(config.myst_enable_extensions) - EXTENSIONS)
    if unknown:
        raise ConfigError(
            f"myst_enable_extensions names {', '.join(unknown)}, which the lint does not know: "
            f"leave the setting out, or choose from {', '.join(sorted(EXTENSIONS))}"
        )


def setup_defaults(app: Sphinx) -> None:
    """Change what Sphinx takes where a conf.py says nothing."""
    _set_defaults(app)
    app.connect("config-inited", _check_theme, priority=100)
    app.connect("config-inited", _check_markdown, priority=100)
