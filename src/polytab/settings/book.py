"""The settings of one book, and the addresses and names that follow from them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from polytab.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from polytab.model import Framework, Language

START = "index"
"""The page that a language begins with."""

FOLDERS = {
    "docs": "docs",
    "snippets": "snippets",
    "environments": "environments",
    "recordings": "recordings",
    "translations": "translations",
    "build": "_build",
}
"""The folders of a book, each with its name where the settings say nothing."""

CONFINE = ("required", "where possible", "off")
"""Whether a kernel runs in a sandbox: always, where the system can do it, or never."""

_STORE = re.compile(r"(?!.*::)[^@?#\x00-\x20]+")


@dataclass(frozen=True)
class Settings:
    """The settings of one book; every path is absolute."""

    root: Path
    title: str
    docs: Path
    snippets: Path
    environments: Path
    recordings: Path
    translations: Path
    build: Path
    frameworks: tuple[Framework, ...]
    languages: tuple[Language, ...]
    repository: str | None = None
    """The repository; links to its sources and issues are spelled as GitHub spells them."""

    address: str | None = None
    """Where the site is published; canonical links and the sitemap need it."""

    store: str | None = None
    """Where recordings are shared by key, as fsspec spells addresses."""

    confine: str = CONFINE[1]
    """Whether kernels are confined: one of CONFINE."""

    log: tuple[str, ...] = ()
    """How lines begin that libraries log and that no recording keeps, as regular expressions."""

    moved: Mapping[str, str] = field(default_factory=dict)
    """The pages that have left their address, each with its new one: `page` or `page#anchor`."""

    moved_sections: Mapping[str, str] = field(default_factory=dict)
    """The sections, `page#anchor`, that have left a page which is still there; the same."""

    @property
    def source_language(self) -> Language:
        """The language the pages are written in: the first."""
        return self.languages[0]

    @property
    def locale(self) -> Path:
        """The one place Sphinx reads catalogs from: compiled from what passed the lint."""
        return self.build / "locale"

    @property
    def overlay(self) -> Path:
        """Where an author's own recordings go, beside the committed ones."""
        return self.build / "recordings"

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files and folders that its pages are made from; not each must be there."""
        return (
            *(self.root / "pyproject.toml", self.root / "conf.py", self.docs, self.snippets),
            *(self.environments, self.recordings, self.overlay, self.translations),
        )

    def words_file(self, locale: str) -> Path:
        """Return where the book has words of its own for the interface in a locale."""
        return self.translations / locale / "polytab.po"

    @property
    def site(self) -> Path:
        """Where the built pages go."""
        return self.build / "site"

    def in_repository(self, view: str, path: Path) -> str | None:
        """Address a file or folder on the forge: to `edit` it, or as `blob` or `tree`."""
        if self.repository is None:
            return None
        return f"{self.repository}/{view}/HEAD/{quote(path.relative_to(self.root).as_posix())}"

    def page_address(self, language: Language, page: str) -> str | None:
        """Return where a page is published, as a whole address; None where nobody has said."""
        return self.address and f"{self.address}/{link_to_page(language, page)}"

    def framework(self, name: str) -> Framework:
        """Return the framework of this name; a wrong name is wrong usage."""
        found = next((each for each in self.frameworks if each.name == name), None)
        if found is None:
            known = ", ".join(each.name for each in self.frameworks)
            msg = f"unknown framework `{name}`"
            raise UsageError(msg, hint=f"known frameworks: {known}")
        return found

    def language(self, code: str) -> Language:
        """Return the language of this code; a wrong code is wrong usage."""
        found = next((each for each in self.languages if each.code == code), None)
        if found is None:
            known = ", ".join(each.code for each in self.languages)
            msg = f"unknown language `{code}`"
            raise UsageError(msg, hint=f"known languages: {known}")
        return found

    def with_root(self, root: Path) -> Settings:
        """Return these settings with every path rebased onto `root`; nothing is read."""
        return replace(
            self,
            root=root,
            **{name: root / getattr(self, name).relative_to(self.root) for name in FOLDERS},
        )

    def pages_with_scripts(self) -> tuple[str, ...]:
        """Return the names of the pages that have scripts, in order."""
        found = {path.parent.name for path in self.snippets.glob("*/[!.]*.py")}
        return tuple(sorted(name for name in found if not name.startswith(("_", "."))))


def page_path(language: Language, page: str) -> str:
    """Return where a page lies in the site: the path of its file, from the site's folder."""
    return f"{language.code}/{page}.html"


def link_to_page(language: Language, page: str, above: str = "") -> str:
    """Return a link to a page: what leads `above` the languages, such as `../`, and the rest."""
    return above + quote(page_path(language, page))


def store_address_problem(address: str) -> str | None:
    """Say why an address may not be a store's, without quoting it; None if it may."""
    if _STORE.fullmatch(address):
        return None
    return "the address of the store must have no `@`, `?`, `#`, `::` or space: it holds no secret"
