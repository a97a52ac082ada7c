"""Read and validate `[tool.polytab]`; nothing else reads it. An unknown key is an error."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from polytab.errors import SettingsError, UsageError
from polytab.model import PLAIN, Framework, Language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

START = "index"
"""The page that a language begins with."""

_TABLE = "tool.polytab"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TABLES = ("title", "frameworks", "languages", "moved", "store")
_FOLDERS = ("docs", "snippets", "environments", "recordings", "translations", "build")
_ADDRESSES = ("repository", "address")
_STORE = re.compile(r"(?!.*::)[^@?#\x00-\x20]+")
_PAGE = re.compile(r"[\w-]+(?:/[\w-]+)*")
_PLACE = re.compile(rf"{_PAGE.pattern}(?:#[\w-]+)?")


@dataclass(frozen=True)
class Settings:
    """The settings of one handbook; every path is absolute."""

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

    moved: Mapping[str, str] = field(default_factory=dict)
    """The pages that have left their address, each with its new one: `page` or `page#anchor`."""

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
            **{name: root / getattr(self, name).relative_to(self.root) for name in _FOLDERS},
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


def load_settings(root: Path) -> Settings:
    """Read `[tool.polytab]` of the `pyproject.toml` in `root`."""
    file = root / "pyproject.toml"
    try:
        text = file.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except FileNotFoundError:
        msg = "there is no pyproject.toml here"
        raise SettingsError(msg, file=file, hint="run polytab from the repository's root") from None
    except OSError as error:
        msg = f"cannot be read: {error.strerror}"
        raise SettingsError(msg, file=file, hint="mend its permissions") from None
    except (ValueError, RecursionError) as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) if at else None
        raise SettingsError(str(error), file=file, line=line, hint="mend the TOML") from None
    tool = document.get("tool")
    table = tool.get("polytab") if isinstance(tool, dict) else None
    if not isinstance(table, dict):
        msg = f"there is no [{_TABLE}] table"
        raise SettingsError(msg, file=file, hint="run polytab from a handbook's root, or add it")
    return _Reader(file, text).settings(root.resolve(), table)


@dataclass(frozen=True)
class _Reader:
    """Turns TOML tables into settings; each complaint gets its line."""

    file: Path
    text: str

    def settings(self, root: Path, table: Mapping[str, Any]) -> Settings:
        self._only(table, {*_TABLES, *_FOLDERS, *_ADDRESSES}, _TABLE)
        title = self._text(table, "title", _TABLE)
        folders = {name: root / self._text(table, name, _TABLE) for name in _FOLDERS}
        languages = tuple(
            self._language(code, {"title": title, **each})
            for code, each in self._tables(table, "languages")
        )
        frameworks = tuple(
            self._framework(name, each, languages)
            for name, each in self._tables(table, "frameworks")
        )
        if PLAIN not in {framework.name for framework in frameworks}:
            raise self._error(f"[{_TABLE}.frameworks] lacks `{PLAIN}`", f"{_TABLE}.frameworks")
        addresses = {name: self._address(table, name) for name in _ADDRESSES}
        return Settings(
            root=root,
            title=title,
            frameworks=frameworks,
            languages=languages,
            repository=addresses["repository"],
            address=addresses["address"],
            store=self._store(table),
            moved=self._moved(table, folders["docs"]),
            **folders,
        )

    def _moved(self, table: Mapping[str, Any], docs: Path) -> Mapping[str, str]:
        """Read where pages have gone; an address that has a page again is not moved."""
        where = f"{_TABLE}.moved"
        moved = table.get("moved", {})
        if not isinstance(moved, dict):
            raise self._error(f"[{where}] must be a table", where)
        for old in moved:
            new = self._text(moved, old, where)
            if not _PAGE.fullmatch(old) or not _PLACE.fullmatch(new):
                message = f"`{old}` and `{new}` must be pages: letters, digits, `-`, `_` and `/`"
                raise self._error(message, f"{where}.{old}")
            if (docs / f"{old}.md").exists():
                raise self._error(f"`{old}` has moved, but there is such a page", f"{where}.{old}")
        return dict(moved)

    def _address(self, table: Mapping[str, Any], name: str) -> str | None:
        if name not in table:
            return None
        address = self._text(table, name, _TABLE).rstrip("/")
        if not address.startswith("https://"):
            raise self._error(f"`{name}` must be an https address", f"{_TABLE}.{name}")
        return address

    def _store(self, table: Mapping[str, Any]) -> str | None:
        if "store" not in table:
            return None
        address = self._text(table, "store", _TABLE)
        complaint = store_address_problem(address)
        if complaint:
            raise self._error(complaint, f"{_TABLE}.store")
        return address

    def _framework(
        self, name: str, table: Mapping[str, Any], languages: Sequence[Language]
    ) -> Framework:
        where = f"{_TABLE}.frameworks.{name}"
        optional = ("package", "cuda_package", "no_cuda")
        self._only(table, {"title", "colab", *optional}, where)
        title = self._text(table, "title", where)
        given = {key: self._text(table, key, where) for key in optional if key in table}
        colab = self._by_language(table, "colab", languages, where) if "colab" in table else ()
        return Framework(name, title, **given, colab=colab)

    def _by_language(
        self, table: Mapping[str, Any], key: str, languages: Sequence[Language], where: str
    ) -> tuple[tuple[str, str], ...]:
        """Read a sentence in the source language, and in others where it is translated."""
        said = table[key]
        codes = [language.code for language in languages]
        where = f"{where}.{key}"
        if not isinstance(said, dict) or codes[0] not in said:
            example = f'{key} = {{ {codes[0]} = "…" }}'
            raise self._error(f"`{key}` must be a table by language: {example}", where)
        self._only(said, set(codes), where)
        return tuple((code, self._text(said, code, where)) for code in codes if code in said)

    def _language(self, code: str, table: Mapping[str, Any]) -> Language:
        where = f"{_TABLE}.languages.{code}"
        keys = ("name", "locale", "tag", "title")
        self._only(table, set(keys), where)
        return Language(code, *(self._text(table, key, where) for key in keys))

    def _tables(
        self, table: Mapping[str, Any], key: str
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Give the tables in a table, by name; there is at least one."""
        where = f"{_TABLE}.{key}"
        value = table.get(key)
        if not isinstance(value, dict) or not value:
            raise self._error(f"[{where}] must be a table that is not empty", where)
        for name, each in value.items():
            if not _NAME.fullmatch(name):
                message = f"`{name}` is no name: lower-case letters, digits and _ only"
                raise self._error(message, f"{where}.{name}")
            if not isinstance(each, dict):
                raise self._error(f"[{where}.{name}] must be a table", f"{where}.{name}")
            yield name, each

    def _only(self, table: Mapping[str, Any], known: set[str], where: str) -> None:
        for key in table:
            if key not in known:
                message = f"unknown key `{key}` in [{where}]; known: {', '.join(sorted(known))}"
                raise self._error(message, f"{where}.{key}")

    def _text(self, table: Mapping[str, Any], key: str, where: str) -> str:
        if key not in table:
            raise self._error(f"[{where}] lacks `{key}`", where)
        value = table[key]
        if not isinstance(value, str) or not value.strip():
            raise self._error(f"`{key}` in [{where}] must be text", f"{where}.{key}")
        return value

    def _error(self, message: str, where: str) -> SettingsError:
        """Place a complaint at the line that each name of `where` leads on to."""
        lines = [line.partition("#")[0] for line in self.text.split("\n")]
        found: int | None = None
        for name in (_TABLE, *where.removeprefix(_TABLE).split(".")[1:]):
            word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            rest = range(found or 0, len(lines))
            found = next((index for index in rest if word.search(lines[index])), found)
        line = None if found is None else found + 1
        return SettingsError(message, file=self.file, line=line, hint="mend [tool.polytab]")
