"""Read and validate `[tool.polytab]`; nothing else reads it. An unknown key is an error.

Where a book is published, and from which repository, whoever builds it may know better than the
book: `POLYTAB_ADDRESS` and `POLYTAB_REPOSITORY` stand in for those two, and empty for neither.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from polytab.errors import SettingsError
from polytab.model import Framework, Language
from polytab.settings.book import CONFINE, FOLDERS, Settings, store_address_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_TABLE = "tool.polytab"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TABLES = ("title", "confine", "frameworks", "languages", "log", "moved", "store")
_ADDRESSES = ("repository", "address")
_LOCALE = re.compile(r"[A-Za-z]\w{0,30}(@[a-z]{1,10})?", re.ASCII)
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,8}")
_PAGE = re.compile(r"[\w-]+(?:/[\w-]+)*")
_PLACE = re.compile(rf"{_PAGE.pattern}(?:#[\w-]+)?")


def load_settings(root: Path) -> Settings:
    """Read `[tool.polytab]` of the `pyproject.toml` in `root`.

    Raises SettingsError with all that is wrong: the first complaint, and the `others`.
    """
    file = root / "pyproject.toml"
    try:
        text = file.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except FileNotFoundError:
        msg = "there is no pyproject.toml here"
        hint = "run polytab in the folder of a book, where its pyproject.toml is"
        raise SettingsError(msg, file=file, hint=hint) from None
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
        hint = "run polytab in the folder of a book, or add the table"
        raise SettingsError(msg, file=file, hint=hint)
    reader = _Reader(file, text)
    settings = reader.settings(root.resolve(), table)
    reader.raise_what_was_found()
    return settings


@dataclass(frozen=True)
class _Reader:
    """Turns TOML tables into settings; collects each complaint with its line and reads on."""

    file: Path
    text: str
    found: list[SettingsError] = field(default_factory=list)

    def raise_what_was_found(self) -> None:
        """Raise all complaints as one, in the order of their lines; do nothing without any."""
        if not self.found:
            return
        first, *others = sorted(self.found, key=lambda each: each.line or 0)
        first.others = tuple(others)
        raise first

    def settings(self, root: Path, table: Mapping[str, Any]) -> Settings:
        """Read the whole table; what could not be read is empty."""
        self._only(table, {*_TABLES, *FOLDERS, *_ADDRESSES}, _TABLE)
        title = self._text(table, "title", _TABLE)
        folders = {
            name: root / self._text(table, name, _TABLE, default)
            for name, default in FOLDERS.items()
        }
        languages = tuple(
            self._language(code, each, title) for code, each in self._tables(table, "languages")
        )
        frameworks = tuple(
            self._framework(name, each, languages)
            for name, each in self._tables(table, "frameworks")
        )
        addresses = {name: self._address(table, name) for name in _ADDRESSES}
        moved = self._moved(table, folders["docs"])
        return Settings(
            root=root,
            title=title,
            frameworks=frameworks,
            languages=languages,
            repository=addresses["repository"],
            address=addresses["address"],
            store=self._store(table),
            confine=self._confine(table),
            log=self._log(table),
            moved={old: new for old, new in moved.items() if "#" not in old},
            moved_sections={old: new for old, new in moved.items() if "#" in old},
            **folders,
        )

    def _moved(self, table: Mapping[str, Any], docs: Path) -> Mapping[str, str]:
        """Read where pages and sections have gone; what is there again is not moved."""
        where = f"{_TABLE}.moved"
        moved = table.get("moved", {})
        if not isinstance(moved, dict):
            self._complain(f"[{where}] must be a table", where)
            return {}
        for old in moved:
            new = self._text(moved, old, where)
            if not _PLACE.fullmatch(old) or not _PLACE.fullmatch(new or old):
                message = f"`{old}` and `{new}` must be pages: letters, digits, `-`, `_` and `/`"
                self._complain(message, f"{where}.{old}")
                continue
            page, sign, _ = old.partition("#")
            there = (docs / f"{page}.md").exists()
            if there and not sign:
                self._complain(f"`{old}` has moved, but there is such a page", f"{where}.{old}")
            if sign and not there:
                message = f"`{old}` has moved from a page that is not there: move `{page}` itself"
                self._complain(message, f"{where}.{old}")
            if sign and new in moved:
                self._complain(f"`{old}` has moved to `{new}`, which moved too", f"{where}.{old}")
        return dict(moved)

    def _address(self, table: Mapping[str, Any], name: str) -> str | None:
        """Read an address, or that of the variable which stands in for it."""
        variable = f"POLYTAB_{name.upper()}"
        told = os.environ.get(variable)
        if told is None and name not in table:
            return None
        address = (self._text(table, name, _TABLE) if told is None else told).rstrip("/")
        if address and not address.startswith("https://"):
            which = f"`{name}`" if told is None else f"`{variable}`, `{address}`,"
            self._complain(f"{which} must be an https address", f"{_TABLE}.{name}")
        return address or None

    def _store(self, table: Mapping[str, Any]) -> str | None:
        if "store" not in table:
            return None
        address = self._text(table, "store", _TABLE)
        problem = store_address_problem(address) if address else None
        if problem:
            self._complain(problem, f"{_TABLE}.store")
        return address

    def _confine(self, table: Mapping[str, Any]) -> str:
        word = self._text(table, "confine", _TABLE, CONFINE[1])
        if word and word not in CONFINE:
            known = ", ".join(f"`{each}`" for each in CONFINE)
            self._complain(f"`confine` must be one of {known}", f"{_TABLE}.confine")
        return word

    def _log(self, table: Mapping[str, Any]) -> tuple[str, ...]:
        """Read how lines of logs begin; what would take every line, or is no pattern, is none."""
        patterns = table.get("log", [])
        if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
            self._complain("`log` must be a list of regular expressions", f"{_TABLE}.log")
            return ()
        for each in patterns:
            try:
                problem = "it begins every line" if re.match(f"(?:{each})", "") else ""
            except re.error as error:
                problem = str(error)
            if problem:
                self._complain(f"`log` cannot have `{each}`: {problem}", f"{_TABLE}.log")
        return tuple(patterns)

    def _framework(
        self, name: str, table: Mapping[str, Any], languages: Sequence[Language]
    ) -> Framework:
        where = f"{_TABLE}.frameworks.{name}"
        optional = ("package", "cuda_package", "no_cuda", "probe")
        self._only(table, {"title", "colab", *optional}, where)
        title = self._text(table, "title", where, name)
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
        if not isinstance(said, dict) or not set(codes[:1]) & said.keys():
            example = f'{key} = {{ {(codes or ["en"])[0]} = "…" }}'
            self._complain(f"`{key}` must be a table by language: {example}", where)
            return ()
        self._only(said, set(codes), where)
        return tuple((code, self._text(said, code, where)) for code in codes if code in said)

    def _language(self, code: str, table: Mapping[str, Any], title: str) -> Language:
        """Read a language; where only its name is said, its code is its locale and its tag."""
        where = f"{_TABLE}.languages.{code}"
        self._only(table, {"name", "locale", "tag", "title"}, where)
        locale = self._text(table, "locale", where, code)
        tag = self._text(table, "tag", where, locale.replace("_", "-"))
        for key, said, form, example in (
            ("locale", locale, _LOCALE, "`pt_BR`"),  # it is a folder
            ("tag", tag, _TAG, "`pt-BR`"),
        ):
            if key in table and said and not form.fullmatch(said):
                self._complain(f"`{key}` of `{code}` must be as in {example}", f"{where}.{key}")
        return Language(
            code,
            name=self._text(table, "name", where),
            locale=locale,
            tag=tag,
            title=self._text(table, "title", where, title),
        )

    def _tables(
        self, table: Mapping[str, Any], key: str
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Give the tables in a table, by name; there must be one at least."""
        where = f"{_TABLE}.{key}"
        value = table.get(key)
        if not isinstance(value, dict) or not value:
            self._complain(f"[{where}] must be a table that is not empty", where)
            return
        for name, each in value.items():
            if not _NAME.fullmatch(name):
                message = f"`{name}` is no name: lower-case letters, digits and _ only"
                self._complain(message, f"{where}.{name}")
            elif not isinstance(each, dict):
                self._complain(f"[{where}.{name}] must be a table", f"{where}.{name}")
            else:
                yield name, each

    def _only(self, table: Mapping[str, Any], known: set[str], where: str) -> None:
        for key in table:
            if key not in known:
                message = f"unknown key `{key}` in [{where}]; known: {', '.join(sorted(known))}"
                self._complain(message, f"{where}.{key}")

    def _text(
        self, table: Mapping[str, Any], key: str, where: str, default: str | None = None
    ) -> str:
        """Read a text that is not blank; complain, and return none, where there is no such text."""
        value = table.get(key, default)
        if value is None:
            self._complain(f"[{where}] lacks `{key}`", where)
            return ""
        if not isinstance(value, str) or (key in table and not value.strip()):
            self._complain(f"`{key}` in [{where}] must be text", f"{where}.{key}")
            return ""
        return value

    def _complain(self, message: str, where: str) -> None:
        """Place a complaint at the line that each name of `where` leads on to."""
        lines = [line.partition("#")[0] for line in self.text.split("\n")]
        found: int | None = None
        for name in (_TABLE, *where.removeprefix(_TABLE).split(".")[1:]):
            word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            rest = range(found or 0, len(lines))
            found = next((index for index in rest if word.search(lines[index])), found)
        line = None if found is None else found + 1
        error = SettingsError(message, file=self.file, line=line, hint="mend [tool.polytab]")
        self.found.append(error)
