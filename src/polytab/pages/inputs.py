"""The inputs of a build beside the text of its pages: settings, scripts, recordings, commit dates.

Invariant, guarded by tests/pages/test_inputs.py: a page is read again whenever its text, a file in
it, a script, a helper, a pinned file or a recording it shows has changed, whatever the clocks of
files say, and not when those of other pages have. All pages are read again when a setting, conf.py
or what that imports has changed.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from polytab.git import last_commit_days
from polytab.interface.formats import Formats
from polytab.model import CPU, CUDA, digest
from polytab.pages.drawing import NARROW
from polytab.recordings.plan import ScriptState, find_if_recorded, find_recording
from polytab.scripts.load import load_scripts
from polytab.settings import Settings, load_settings
from polytab.translations.catalogs import MESSAGES
from polytab.translations.compiled import load_messages
from polytab.translations.templates import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from polytab.model import Language

_INPUTS: WeakKeyDictionary[Config, Inputs] = WeakKeyDictionary()
"""The inputs of each build, by the configuration that its application and environment share.

They are kept beside the environment and not in it, because Sphinx pickles that between builds.
"""

READ_FILES = "read-files.txt"
"""The file, in the folder Sphinx writes to, that lists what it read beside the book's folders."""

_READ_FROM = "polytab_read_from"
"""The key, in the metadata of a page, of the files that the page was read from."""

_INCLUDED = "polytab_included"
"""The same, of the files that it names and Sphinx has noted: drawings and pictures."""

_SHOWN_PAGES = "polytab_shown_pages"
"""The key, in the metadata of a page, of the pages whose measurements it shows."""

_LATE = 900


@dataclass
class Inputs:
    """The settings of a book, and what its pages show, each read once."""

    settings: Settings
    reasons: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What was edited, by the page that is read again because of it."""

    beside: set[Path] = field(default_factory=set)
    """What an extension reads beside the folders of the book, whether it is there or not."""

    _scripts: dict[tuple[str, str], tuple[ScriptState, ...]] = field(default_factory=dict)
    _script_translations: dict[tuple[str, Language], Mapping[str, str]] = field(
        default_factory=dict
    )
    _last_commit_days: Mapping[Path, str] | None = None

    def last_commit_days(self) -> Mapping[Path, str]:
        """Return the day of the last commit to each page and catalog; git is asked once."""
        if self._last_commit_days is None:
            self._last_commit_days = last_commit_days(self.settings)
        return self._last_commit_days

    def scripts(self, page: str, device: str = CPU) -> tuple[ScriptState, ...]:
        """Return the scripts of a page with their recordings, in the order of the settings.

        For CUDA these are only the scripts with a recording made there, stale or fresh.
        Raises PolytabError where a script cannot be read.
        """
        if (page, device) not in self._scripts:
            read = self._scripts_on_cpu if device == CPU else self._scripts_on_cuda
            self._scripts[page, device] = read(page)
        return self._scripts[page, device]

    def _scripts_on_cpu(self, page: str) -> tuple[ScriptState, ...]:
        if page not in self.settings.pages_with_scripts():
            return ()
        return tuple(
            find_recording(self.settings, each) for each in load_scripts(self.settings, [page])
        )

    def _scripts_on_cuda(self, page: str) -> tuple[ScriptState, ...]:
        scripts = [each.job.script for each in self.scripts(page)]
        recorded = [find_if_recorded(self.settings, script, CUDA) for script in scripts]
        return tuple(each for each in recorded if each is not None)

    def fresh_on_cuda(self, page: str, framework: str) -> ScriptState | None:
        """Return a framework's script of a page with its fresh CUDA recording, or None."""
        for each in self.scripts(page, CUDA):
            if each.fresh and each.job.script.framework == framework:
                return each
        return None

    def has_cuda(self, page: str) -> bool:
        """Tell whether a page has a fresh recording made on CUDA."""
        return any(each.fresh for each in self.scripts(page, CUDA))

    def script_translations(self, page: str, language: Language) -> Mapping[str, str]:
        """Return the translated comments of a page's scripts, by their English."""
        if (page, language) not in self._script_translations:
            messages = load_messages(self.settings, language, f"{COMMENTS}/{page}")
            shown = {each.source: each.translation for each in messages if each.shown}
            self._script_translations[page, language] = shown
        return self._script_translations[page, language]

    def formats(self, env: BuildEnvironment, page: str | None = None) -> Formats:
        """Return the number formats of this build, with the names in a page's benchmarks.

        Without `page` they are those of the page that is read.
        """
        names = self.script_translations(page or env.docname, self.language(env))
        return Formats(env.config.language, names)

    def language(self, build: Sphinx | BuildEnvironment) -> Language:
        """Return the language of a build, or the source language where it is none of ours."""
        locale = build.config.language
        found = (each for each in self.settings.languages if each.locale == locale)
        return next(found, self.settings.source_language)

    def files_of(self, page: str, locale: str) -> dict[str, str]:
        """Return the text of a page and every file that it shows beside that, with their digests.

        A helper counts for every page that has scripts, so that no script must be parsed here.
        """
        compiled = self.settings.locale / locale / MESSAGES
        files = [self.settings.docs / f"{page}.md", compiled / f"{page}.json"]
        return self._digests([*files, *self._measured_files(page, locale)])

    def _measured_files(self, page: str, locale: str) -> Iterator[Path]:
        """Give what the measurements of a page are shown from: scripts, recordings, comments."""
        yield self.settings.locale / locale / MESSAGES / COMMENTS / f"{page}.json"
        scripts = self.settings.snippets / page
        if scripts.is_dir():
            yield from sorted(scripts.rglob("*"))
            yield from sorted(self.settings.snippets.glob("*.py"))
            for framework in sorted(path.stem for path in scripts.glob("*.py")):
                yield from sorted(self.settings.environments.glob(f"{framework}.*"))
        for recordings in (self.settings.recordings, self.settings.overlay):
            yield from sorted((recordings / page).glob("*"))

    def files_included(self, env: BuildEnvironment, page: str) -> dict[str, str]:
        """Return the files that are known only when a page has been read, with their digests.

        They are those that Sphinx has noted, with the narrow drawing that may come to stand beside
        a drawing, and those behind the measurements of other pages.
        """
        others = env.metadata[page].get(_SHOWN_PAGES, ())
        locale = env.config.language
        measured = [path for each in others for path in self._measured_files(each, locale)]
        noted = {self.settings.docs / name for name in env.dependencies.get(page, ())}
        noted |= {each.with_suffix(NARROW) for each in noted if each.suffix == ".svg"}
        included = sorted(Path(os.path.normpath(each)) for each in noted)
        return self._digests([*included, *measured])

    def _digests(self, files: Iterable[Path]) -> dict[str, str]:
        root = self.settings.root
        return {
            os.path.relpath(path, root): digest(path.read_bytes())
            for path in files
            if path.is_file()
        }

    def told(self, file: str) -> str:
        """Name a file as people know it: a compiled catalog is what is shown of their own."""
        compiled = os.path.relpath(self.settings.locale, self.settings.root)
        if not file.startswith(f"{compiled}{os.sep}"):
            return file
        own = Path(os.path.relpath(self.settings.translations, self.settings.root))
        return f"what is shown of {own / Path(file).relative_to(compiled).with_suffix('.po')}"


def inputs_of(build: Sphinx | BuildEnvironment) -> Inputs:
    """Return the inputs of a build, from its application or its environment."""
    return _INPUTS[build.config]


def note_shown_page(env: BuildEnvironment, page: str) -> None:
    """Note that the page that is read shows measurements of another page."""
    env.metadata[env.docname].setdefault(_SHOWN_PAGES, []).append(page)


def setup_inputs(app: Sphinx) -> None:
    """Read the settings when a build begins, and read again the pages whose inputs changed."""
    app.add_config_value("polytab_book", default="", rebuild="env", types=str)
    app.connect("config-inited", _load, priority=100)
    app.connect("config-inited", _note_book, priority=_LATE)
    app.connect("source-read", _note_files)
    app.connect("doctree-read", _note_included, priority=_LATE)
    app.connect("env-get-outdated", _outdated_pages)
    app.connect("build-finished", _list_files)


def _load(app: Sphinx, config: Config) -> None:
    _INPUTS[config] = Inputs(load_settings(Path(app.confdir)))


def _note_book(app: Sphinx, config: Config) -> None:
    """Remember the settings, the book's words and what `conf.py` does: any page may show any."""
    settings = replace(inputs_of(app).settings, moved={}, store=None)  # no page shows these
    words = settings.words_file(config.language)
    files = [Path(app.confdir, "conf.py"), words, *sorted(_imported(app))]
    listed = [f"{path} {digest(path.read_bytes())}" for path in files if path.is_file()]
    config.polytab_book = digest("\n".join([repr(settings), *listed]))


def _imported(app: Sphinx) -> set[Path]:
    """Return the modules of the book that `conf.py` has imported."""
    modules = (getattr(module, "__file__", None) for module in tuple(sys.modules.values()))
    found = {path for name in modules if name and app.confdir in (path := Path(name)).parents}
    others = (Path(__file__).parents[1], Path(sys.prefix))
    return {path for path in found if not any(map(path.is_relative_to, others))}


def _note_included(app: Sphinx, _document: nodes.document) -> None:
    """Store the same of the files that Sphinx has noted while it read the page."""
    page = app.env.docname
    app.env.metadata[page][_INCLUDED] = inputs_of(app).files_included(app.env, page)


def _note_files(app: Sphinx, page: str, _content: list[str]) -> None:
    """Store its inputs with the page that is being read."""
    app.env.metadata[page][_READ_FROM] = inputs_of(app).files_of(page, app.config.language)


def _outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Return the pages whose inputs are not those that they were read from."""
    del added, changed, removed
    inputs, locale = inputs_of(app), app.config.language
    for page, metadata in env.metadata.items():
        if _READ_FROM in metadata:
            before = metadata[_READ_FROM] | metadata.get(_INCLUDED, {})
            now = inputs.files_of(page, locale) | inputs.files_included(env, page)
            if before != now:
                inputs.reasons[page] = tuple(_edits(inputs, before, now))
    return list(inputs.reasons)


def _edits(inputs: Inputs, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Say of each file that is not as it was how it differs."""
    for file in sorted(before.keys() | now.keys()):
        if before.get(file) != now.get(file):
            how = "is new" if file not in before else "changed" if file in now else "is gone"
            yield f"{inputs.told(file)} {how}"


def _list_files(app: Sphinx, exception: Exception | None) -> None:
    """Write down what was read beside the folders of the book, where pages are to be published.

    These are what `conf.py` names and imports, what pages include and what extensions have noted.
    """
    if exception or not app.config.polytab_published:
        return
    named = (*app.config.html_static_path, *app.config.html_extra_path, *app.config.templates_path)
    found = {Path(app.confdir, name) for name in named}
    for names in app.env.dependencies.values():
        found |= {Path(app.srcdir, name) for name in names}
    found |= _imported(app) | inputs_of(app).beside
    settings = inputs_of(app).settings
    known = (settings.docs, settings.snippets, Path(__file__).parents[1], Path(sys.prefix))
    paths = {Path(os.path.normpath(path)) for path in found}
    listed = sorted(path for path in paths if not any(map(path.is_relative_to, known)))
    Path(app.outdir, READ_FILES).write_text("".join(f"{path}\n" for path in listed), "utf-8")
