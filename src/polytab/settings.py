"""Read and validate `[tool.polytab]`; nothing else reads it. An unknown key is an error."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polytab.errors import SettingsError, UsageError
from polytab.model import PLAIN, Framework, Language

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FOLDERS = ("docs", "snippets", "environments", "recordings", "translations", "build")
_ADDRESSES = ("repository", "address")


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
    """The forge's address of the repository; links to sources and catalogs need it."""
    address: str | None = None
    """Where the site is published; canonical links need it."""

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

    def page_names(self) -> tuple[str, ...]:
        """Return the names of the pages that have scripts, in order."""
        if not self.snippets.is_dir():
            return ()
        return tuple(
            sorted(
                folder.name
                for folder in self.snippets.iterdir()
                if folder.is_dir() and not folder.name.startswith(("_", "."))
            )
        )


def load_settings(root: Path) -> Settings:
    """Read `[tool.polytab]` of the `pyproject.toml` in `root`."""
    file = root / "pyproject.toml"
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        msg = "there is no pyproject.toml here"
        raise SettingsError(msg, file=file, hint="run polytab from the repository's root") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(error), file=file, hint="mend the TOML") from None
    table = document.get("tool", {}).get("polytab")
    if not isinstance(table, dict):
        msg = "there is no [tool.polytab] table"
        raise SettingsError(msg, file=file, hint="see docs/contributing/settings.md")
    return _Reader(file).settings(root.resolve(), table)


@dataclass(frozen=True)
class _Reader:
    """Turns TOML tables into settings, with the file and, where it can be found, the line."""

    file: Path

    def settings(self, root: Path, table: Mapping[str, Any]) -> Settings:
        known = {"title", "frameworks", "languages", *_FOLDERS, *_ADDRESSES}
        self._only(table, known, "tool.polytab")
        folders = {name: root / self._text(table, name, "tool.polytab") for name in _FOLDERS}
        frameworks = tuple(
            self._framework(name, each)
            for name, each in self._table(table, "frameworks", "tool.polytab").items()
        )
        if PLAIN not in {framework.name for framework in frameworks}:
            raise self._error(f"[tool.polytab.frameworks] lacks `{PLAIN}`", "frameworks")
        languages = tuple(
            self._language(code, each)
            for code, each in self._table(table, "languages", "tool.polytab").items()
        )
        addresses = {name: self._address(table, name) for name in _ADDRESSES}
        title = self._text(table, "title", "tool.polytab")
        return Settings(
            root=root,
            title=title,
            frameworks=frameworks,
            languages=languages,
            repository=addresses["repository"],
            address=addresses["address"],
            **folders,
        )

    def _address(self, table: Mapping[str, Any], name: str) -> str | None:
        if name not in table:
            return None
        address = self._text(table, name, "tool.polytab").rstrip("/")
        if not address.startswith("https://"):
            raise self._error(f"`{name}` must be an https address", name)
        return address

    def _framework(self, name: str, table: object) -> Framework:
        where = f"tool.polytab.frameworks.{name}"
        checked = self._named(name, table, where)
        self._only(checked, {"title", "package"}, where)
        package = self._text(checked, "package", where) if "package" in checked else None
        return Framework(name, self._text(checked, "title", where), package)

    def _language(self, code: str, table: object) -> Language:
        where = f"tool.polytab.languages.{code}"
        checked = self._named(code, table, where)
        self._only(checked, {"name", "locale", "tag"}, where)
        name, locale, tag = (self._text(checked, key, where) for key in ("name", "locale", "tag"))
        return Language(code, name, locale, tag)

    def _named(self, name: str, table: object, where: str) -> Mapping[str, Any]:
        if not _NAME.fullmatch(name):
            message = f"`{name}` is no name: lower-case letters, digits and _ only"
            raise self._error(message, name)
        if not isinstance(table, dict):
            raise self._error(f"[{where}] must be a table", name)
        return table

    def _only(self, table: Mapping[str, Any], known: set[str], where: str) -> None:
        for key in table:
            if key not in known:
                names = ", ".join(sorted(known))
                raise self._error(f"unknown key `{key}` in [{where}]; known: {names}", key)

    def _table(self, table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
        value = table.get(key)
        if not isinstance(value, dict) or not value:
            raise self._error(f"[{where}.{key}] must be a table that is not empty", key)
        return value

    def _text(self, table: Mapping[str, Any], key: str, where: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self._error(f"`{key}` in [{where}] must be text", key)
        return value

    def _error(self, message: str, key: str) -> SettingsError:
        lines = self.file.read_text(encoding="utf-8").split("\n")
        pattern = re.compile(rf"(^|\.|\[|\s){re.escape(key)}($|\s|=|\]|\.)")
        line = next((n for n, text in enumerate(lines, start=1) if pattern.search(text)), None)
        return SettingsError(message, file=self.file, line=line, hint="mend [tool.polytab]")
