"""Pages are read by MyST without what could run, read or write anything else: see `allowed`.

This is the edge that holds: every page, every directive nested in one, and every translated
paragraph passes here. MyST-NB's parser is replaced, because it runs a page that calls itself a
notebook. MyST's is narrowed, because `{eval-rst}`, HTML, `{{ }}` and front matter are handled
inside of it and never looked up by name.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
from myst_parser.parsers.mdit import create_md_parser
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.domains.std import Glossary
from sphinx.util import logging

from polytab.errors import one_line
from polytab.pages.markdown.allowed import (
    TABS,
    TOO_DEEP,
    outside,
    refused,
    refused_file,
    refused_front_matter,
)
from polytab.pages.markdown.walk import DEEPEST

if TYPE_CHECKING:
    from docutils import nodes
    from markdown_it.tree import SyntaxTreeNode
    from sphinx.application import Sphinx
    from sphinx.config import Config

_log = logging.getLogger(__name__)
_DEPTH = "polytab_depth"
_TYPE = "myst-nb"
"""What MyST-NB calls its parser; ours takes its place."""


class PageRenderer(SphinxRenderer):
    """MyST's renderer, which asks before it does what a page says."""

    def run_directive(
        self,
        name: str,
        first_line: str,
        content: str,
        position: int,
        *rest: Any,  # noqa: ANN401  # passed on as they came
        **named: Any,  # noqa: ANN401
    ) -> list[nodes.Element]:
        """Run a directive that pages may use."""
        if said := refused("directive", name):
            return self._refuse("directive", said, position)
        if name in TABS and not self.sphinx_env.temp_data.get("tabs_stack"):
            return self._refuse("tabs", f"`{{{name}}}` stands in no `{{tabs}}`", position)
        return super().run_directive(name, first_line, content, position, *rest, **named)

    def render_myst_role(self, token: SyntaxTreeNode) -> None:
        """Run a role that pages may use."""
        if said := refused("role", token.meta["name"]):
            self._refuse("role", said, _line(token))
        else:
            super().render_myst_role(token)

    def render_link(self, token: SyntaxTreeNode) -> None:
        """Leave of a link that leads nowhere a page may lead to its words."""
        if said := outside(self.sphinx_env.docname, str(token.attrGet("href") or "")):
            self._refuse("outside", said, _line(token))
            self.render_children(token)
        else:
            super().render_link(token)

    def nested_render_text(
        self,
        text: str,
        lineno: int,
        *rest: Any,  # noqa: ANN401  # passed on as they came
        **named: Any,  # noqa: ANN401
    ) -> None:
        """Read what stands in a block, unless that stands in too many others."""
        depth = self.md_env.get(_DEPTH, 0)
        if depth >= DEEPEST:
            self._refuse("nesting", TOO_DEEP, lineno)
            return
        self.md_env[_DEPTH] = depth + 1
        try:
            super().nested_render_text(text, lineno, *rest, **named)
        finally:
            self.md_env[_DEPTH] = depth

    def render_restructuredtext(self, token: SyntaxTreeNode) -> None:
        """Refuse what would be read by another parser than this one."""
        self._refuse("directive", str(refused("directive", "eval-rst")), _line(token))

    def render_html_block(self, token: SyntaxTreeNode) -> None:
        """Refuse HTML."""
        said = "pages may not hold HTML: write Markdown or a directive"
        self._refuse("html", said, _line(token))

    def render_substitution(self, token: SyntaxTreeNode, inline: bool) -> None:  # noqa: FBT001  # its name in MyST
        """Refuse templates: they can reach everything that Python can."""
        del inline
        said = "pages may not hold `{{ }}`, which runs what stands inside: write the text"
        self._refuse("substitution", said, _line(token))

    def render_front_matter(self, token: SyntaxTreeNode) -> None:
        """Read front matter where every line of it is one that pages may use."""
        found = list(refused_front_matter(token.content))
        for said in found:
            self._refuse("front-matter", said, _line(token))
        if not found:
            super().render_front_matter(token)

    def _refuse(self, rule: str, said: str, line: int) -> list[nodes.Element]:
        self.create_warning(said, rule, wtype="polytab", line=line)
        return []


class PageParser(MystParser):
    """Reads a page, or one translated paragraph of it; its front matter changes no setting."""

    supported = (_TYPE,)  # type: ignore[misc]  # docutils calls it a variable of instances

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Read Markdown into a document."""
        parser = create_md_parser(document.settings.env.myst_config, PageRenderer)
        parser.options["document"] = document
        parser.render(inputstring)


class GlossaryDirective(Glossary):
    """Sphinx's, whose terms know their lines: MyST counts those from the start of the directive."""

    def run(self) -> list[nodes.Node]:
        """Return the glossary."""
        first = self.lineno + self.content_offset + 1
        self.content.items = [(source, first + line) for source, line in self.content.items]
        return super().run()


def _line(token: SyntaxTreeNode) -> int:
    return token.map[0] if token.map else 0


def _only_pages(app: Sphinx, config: Config) -> None:
    """Let nothing but Markdown in this very folder be a page.

    Notebooks and reST have parsers of their own; Sphinx would follow a link to any folder, and
    cannot note a name that is not UTF-8.
    """
    config.source_suffix = {".md": _TYPE}
    for folder, folders, files in os.walk(app.srcdir):
        for path in (Path(folder) / name for name in [*folders, *files]):
            place = path.relative_to(app.srcdir).as_posix()
            if said := refused_file(path, place):
                _log.warning("`%s` %s", one_line(place), said, type="polytab", subtype="outside")
                pattern = re.sub(r"[\[\]*\ud800-\udfff]", "?", place)
                config.exclude_patterns += [pattern, f"{pattern}/**"]


def _second_belt(app: Sphinx) -> None:
    """Switch off what no page can reach any more, should one reach it after all."""
    app.env.settings.update({"raw_enabled": False, "file_insertion_enabled": False})


def setup_markdown(app: Sphinx) -> None:
    """Put our parser in the place of MyST-NB's, and our glossary in that of Sphinx's."""
    app.add_source_parser(PageParser, override=True)
    app.add_directive_to_domain("std", "glossary", GlossaryDirective, override=True)
    app.connect("config-inited", _only_pages, priority=900)  # after Sphinx has joined them
    app.connect("builder-inited", _second_belt)
