"""The stylesheets and JavaScript files of a page, joined while Sphinx writes it.

A feature keeps its files in a folder `static` beside its Python and names the folder here. A page
then loads one stylesheet, one script before anything is painted, and one that is deferred. Each is
named after its content.

Laws, guarded by tests/pages/test_assets.py: files keep the order of Sphinx; an address in a
stylesheet leads where it led; a file of a book goes before one of ours of the same name; pages are
written again, but not read again, when a stylesheet, script or template of the book changes. What
cannot be joined (of another host, for some media, importing others, a module) stays a link.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from posixpath import dirname, join, relpath
from typing import TYPE_CHECKING, Any

from rcssmin import cssmin
from rjsmin import jsmin

from polytab.model import digest
from polytab.theme import has_theme

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from sphinx.application import Sphinx
    from sphinx.config import Config

_STATIC = "_static"
_BUILDERS = frozenset({"html", "dirhtml"})
"""Those that copy static files before they write pages."""

_UNUSED = re.compile(r"_static/mystnb\.\w+\.css")
"""What MyST-NB has for cells of its own, which our pages have not."""

_LATE = 900
_URL = re.compile(r"""url\(\s*(["']?)(?!data:|https?:|[/#])([^)"']+)\1\s*\)""")
_SHEET = {"rel": "stylesheet", "type": "text/css"}
_DEFERRED = {"defer": "defer"}


@dataclass(frozen=True)
class Assets:
    """What a page loads of its own site, as the layout names it."""

    sheet: str = ""
    early: str = ""
    late: str = ""


def add_static(app: Sphinx, folder: Path) -> None:
    """Add a folder of static files; a book's own files of the same names win."""

    def add(app: Sphinx) -> None:
        app.config.html_static_path = [str(folder), *app.config.html_static_path]

    # Before sphinx-tabs does the same: of two files of one name the later folder's is kept.
    app.connect("builder-inited", add, priority=400)


@dataclass
class _Joiner:
    """Joins the files of pages; what was made in a build is made once."""

    made: dict[tuple[str, ...], str] = field(default_factory=dict)

    def forget(self, _app: Sphinx, _builder: object) -> None:
        self.made.clear()

    def join(
        self, app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object
    ) -> None:
        """Put joined files into the context of a page, and leave there what cannot be joined."""
        wanted = [each for each in context["css_files"] if not _UNUSED.fullmatch(_name(each))]
        context["css_files"] = wanted
        if app.builder.name not in _BUILDERS or not has_theme(app):
            return
        out = app.outdir
        sheets, others = _part(wanted, lambda each: _is_plain_sheet(out, each))
        deferred, scripts = _part(
            context["script_files"], lambda each: _is_ours(out, each, _DEFERRED)
        )
        early, scripts = _part(scripts, lambda each: _is_ours(out, each, {}))
        context["css_files"], context["script_files"] = others, scripts
        context["polytab_assets"] = Assets(
            sheet=self._made(out, "page.css", sheets),
            early=self._made(out, "first.js", early),
            late=self._made(out, "page.js", deferred),
        )

    def _made(self, out: Path, name: str, files: Sequence[str]) -> str:
        """Write files joined, once; return the name of what was written, or "" for no files."""
        if not files:
            return ""
        if (key := (name, *files)) not in self.made:
            read = {each: (out / each).read_text(encoding="utf-8") for each in files}
            text = join_sheets(read) if name.endswith(".css") else join_scripts(read.values())
            stem, _, kind = name.rpartition(".")
            self.made[key] = f"{_STATIC}/{stem}.{digest(text.encode())[:12]}.{kind}"
            (out / self.made[key]).write_text(text, encoding="utf-8")
        return self.made[key]


def join_sheets(sheets: dict[str, str]) -> str:
    """Join stylesheets, by their names; what they refer to is found from `_static/` as well."""

    def moved(name: str, text: str) -> str:
        return _URL.sub(
            lambda found: f'url("{relpath(join(dirname(name), found[2]), _STATIC)}")', text
        )

    text = "\n".join(moved(name, text) for name, text in sheets.items())
    return str(cssmin(text, keep_bang_comments=True))


def join_scripts(scripts: Iterable[str]) -> str:
    """Join scripts; each is a statement of its own."""
    return str(jsmin("\n;\n".join(scripts), keep_bang_comments=True))


def _part(files: Iterable[Any], joined: Callable[[Any], bool]) -> tuple[list[str], list[Any]]:
    """Part files, in Sphinx's order, into the names of those to be joined and all others."""
    ordered = sorted(files, key=lambda each: each.priority)
    left = [each for each in ordered if not joined(each)]
    return [_name(each) for each in ordered if joined(each)], left


def _name(file: Any) -> str:  # noqa: ANN401  # Sphinx's own kinds are private
    return str(file.filename or "")


def _is_ours(out: Path, file: Any, attributes: dict[str, str]) -> bool:  # noqa: ANN401  # the same
    return file.attributes == attributes and bool(_name(file)) and (out / _name(file)).is_file()


def _is_plain_sheet(out: Path, file: Any) -> bool:  # noqa: ANN401  # the same
    return _is_ours(out, file, _SHEET) and "@import" not in (out / _name(file)).read_text("utf-8")


def _note_static(app: Sphinx, config: Config) -> None:
    """Remember what the book's own stylesheets, JavaScript and templates hold.

    Ours are part of the engine.
    """
    folders = [app.confdir / each for each in config.html_static_path]
    files = [each for folder in folders for each in (folder, *sorted(folder.rglob("*")))]
    known = [each for each in files if each.suffix in {".css", ".js"} and each.is_file()]
    templates = [path for each in config.templates_path for path in (app.confdir / each).rglob("*")]
    known += sorted(each for each in templates if each.is_file())
    config.polytab_static = digest("".join(f"{each} {digest(each.read_bytes())}" for each in known))


def setup_assets(app: Sphinx) -> None:
    """Join what pages load, after all that add to it."""
    app.add_config_value("polytab_static", default="", rebuild="html", types=str)
    joiner = _Joiner()
    app.connect("config-inited", _note_static)
    app.connect("write-started", joiner.forget)
    app.connect("html-page-context", joiner.join, priority=_LATE)
