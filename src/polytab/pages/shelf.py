"""What the pages of one build read from: settings, scripts and recordings, each read once.

Invariant, guarded by tests/pages/test_shelf.py: a page is read again exactly when a script, a
helper, a pinned file or a recording it shows has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.errors import PolytabError
from polytab.git import last_changes
from polytab.interface.wording import Wording
from polytab.model import CPU, CUDA, DEVICES, digest
from polytab.recordings.plan import Found, find, recorded_on
from polytab.scripts.load import load_scripts
from polytab.settings import Settings, load_settings
from polytab.translations.compiled import load_messages
from polytab.translations.templates import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

    from polytab.model import Language

_SHELVES: dict[Path, Shelf] = {}
_SEEN = "polytab_inputs"


@dataclass
class Shelf:
    """The settings, and for each page asked for its scripts with their recordings."""

    settings: Settings
    pages: dict[tuple[str, str], tuple[Found, ...]] = field(default_factory=dict)

    @cached_property
    def days(self) -> Mapping[Path, str]:
        """When each page and catalog was last committed."""
        return last_changes(self.settings)

    def page(self, name: str, device: str = CPU) -> tuple[Found, ...]:
        """Return what there is for a page, one per framework, in the order of the settings.

        On a device that is not always at hand, that is what was recorded, fresh or not.
        """
        if (name, device) not in self.pages:
            if device == CPU:
                known = name in self.settings.page_names()
                scripts = load_scripts(self.settings, [name]) if known else ()
                found = [find(self.settings, script) for script in scripts]
            else:
                scripts = tuple(each.job.script for each in self.page(name))
                recorded = (recorded_on(self.settings, script, device) for script in scripts)
                found = [each for each in recorded if each is not None]
            self.pages[name, device] = tuple(found)
        return self.pages[name, device]

    def fresh_on_cuda(self, name: str, framework: str) -> Found | None:
        """Return what a page shows of a framework on CUDA: what is stale there is left out."""
        on_cuda = self.page(name, CUDA)
        fresh = (each for each in on_cuda if each.fresh and each.job.script.framework == framework)
        return next(fresh, None)

    def has_cuda(self, name: str) -> bool:
        """Tell whether a page shows anything from CUDA."""
        return any(each.fresh for each in self.page(name, CUDA))

    def comments(self, name: str, language: Language) -> dict[str, str]:
        """Return the comments of a page's scripts that are translated."""
        messages = load_messages(self.settings, language, f"{COMMENTS}/{name}")
        return {each.source: each.translation for each in messages if each.shown}

    def wording(self, env: BuildEnvironment) -> Wording:
        """Return how the page that is read writes numbers, and the names in its benchmarks."""
        names = self.comments(env.docname, self.language(env))
        return Wording(env.config.language, names)

    def language(self, of: Sphinx | BuildEnvironment) -> Language:
        """Return the language of this build."""
        locale = of.config.language
        found = (each for each in self.settings.languages if each.locale == locale)
        return next(found, self.settings.source_language)

    def inputs(self, name: str, locale: str) -> str:
        """Hash all that a page shows beside its own text."""
        try:  # a key covers the helpers, the data files and the pins
            keys = [each.job.key.digest for on in DEVICES for each in self.page(name, on)]
        except PolytabError as error:
            keys = [str(error)]
        compiled = self.settings.locale / locale / "LC_MESSAGES"
        folders = (
            self.settings.snippets / name,
            self.settings.recordings / name,
            self.settings.overlay / name,
        )
        files = [path for folder in folders for path in folder.glob("*")]
        files += [compiled / f"{name}.json", compiled / "snippets" / f"{name}.json"]
        listed = (f"{path} {digest(path.read_bytes())}" for path in sorted(files) if path.is_file())
        return digest("\n".join([repr(self.settings.frameworks), *keys, *listed]))


def shelf(of: Sphinx | BuildEnvironment) -> Shelf:
    """Return the shelf of this build."""
    return _SHELVES[Path(of.srcdir)]


def setup_shelf(app: Sphinx) -> None:
    """Read the settings at the start of a build, and reread the pages whose inputs changed."""
    app.connect("config-inited", _open, priority=100)
    app.connect("source-read", _note_inputs)
    app.connect("env-get-outdated", _outdated)


def _open(app: Sphinx, config: Config) -> None:
    del config
    _SHELVES[Path(app.srcdir)] = Shelf(load_settings(Path(app.confdir)))


def _note_inputs(app: Sphinx, docname: str, _content: list[str]) -> None:
    """Remember what the page being read depends on."""
    inputs = shelf(app).inputs(docname, app.config.language)
    app.env.metadata[docname][_SEEN] = inputs


def _outdated(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> Sequence[str]:
    del added, changed, removed
    return list(_changed(app, env))


def _changed(app: Sphinx, env: BuildEnvironment) -> Iterator[str]:
    for docname, metadata in env.metadata.items():
        inputs = shelf(app).inputs(docname, app.config.language)
        if metadata.get(_SEEN) not in {None, inputs}:
            yield docname
