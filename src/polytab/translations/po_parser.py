"""A strict parser of `.po` files: bytes in, a catalog or one finding per defect out.

Babel reads `#|` as a translator's comment, merges messages that stand twice and takes a text that
was cut off for a translation (docs/contributing/decisions/0007-catalogs.md).

Laws, guarded by tests/translations/test_po_parser.py: what is read, GNU gettext reads too, to the
same messages (but for a line end around a text, which is for the lint); any other file is refused
whole, so that nothing half-read is written over it.
"""

from __future__ import annotations

import re
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from polytab.model import Finding
from polytab.translations.catalogs import Catalog, CatalogError, Entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_BYTES = 4_000_000
"""More than any page has: a larger catalog is refused before it is read."""

_MARK = re.compile(r"#~\||#[~|,:.]|#|")
_PART = re.compile(r'(?:(?P<keyword>msgid|msgstr)[ \t]+)?"(?P<text>(?:[^"\\]|\\[nt"\\])*)"')
_PREVIOUS = {"#|": "", "#~|": "#~"}
"""How the English before is marked, and how the message is that it must stand in front of."""

_KEYWORDS = ("msgid", "msgstr")
_OTHER_KEYWORDS = ("msgctxt", "msgid_plural", "msgstr[")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FIELD = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9-]*):[ \t]*(?P<value>.*)")
_UTF_8 = re.compile(r"text/plain;[ \t]*charset=utf-8", re.IGNORECASE)


def read_catalog(path: Path, locale: str | None) -> Catalog | None:
    """Read a catalog, or a template where `locale` is None; None where there is no file.

    Raises CatalogError, with all its findings.
    """
    if path.is_symlink():
        _refuse(path, None, "link", "this is a link; put the catalog itself here")
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            _refuse(path, None, "unreadable", "this is no file; put the catalog itself here")
        if found.st_size > MAX_BYTES:
            message = f"the catalog is larger than {MAX_BYTES // 1_000_000} MB; split the page"
            _refuse(path, None, "size", message)
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _refuse(path, None, "unreadable", f"the catalog cannot be read: {error.strerror}")
    return _CatalogParser(path, locale).catalog(_decode(path, data))


def _decode(path: Path, data: bytes) -> str:
    """Return the text of a catalog; Windows line ends are taken for line ends."""
    if data.startswith(b"\xef\xbb\xbf"):
        message = "the file begins with a byte order mark; save it as UTF-8 without one"
        _refuse(path, 1, "encoding", message)
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(path, line, "encoding", "this is not UTF-8; save the file as UTF-8")
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        message = f"there is a control character, U+{ord(control[0]):04X}; take it out"
        _refuse(path, line, "control", message)
    return text


def _refuse(path: Path, line: int | None, rule: str, message: str) -> NoReturn:
    raise CatalogError([Finding(path, line, rule, message)])


@dataclass
class _Draft:
    """The message being read; a part is None until its keyword was seen."""

    line: int = 0
    mark: str = ""
    comments: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    previous: list[str] | None = None
    source: list[str] | None = None
    translation: list[str] | None = None
    open: tuple[str, list[str]] | None = None

    def entry(self) -> Entry:
        source, translation, previous = (
            _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), "".join(part or []))
            for part in (self.source, self.translation, self.previous)
        )
        fuzzy = "fuzzy" in self.flags and bool(translation)
        known = fuzzy and self.previous is not None
        return Entry(
            source,
            translation,
            fuzzy,
            previous if known else None,
            tuple(self.comments),
            tuple(self.locations),
            self.line,
        )


class _CatalogParser:
    """Parses one catalog line by line; a line that cannot be understood ends it."""

    def __init__(self, path: Path, locale: str | None) -> None:
        self._path = path
        self._locale = locale
        self._draft = _Draft()
        self._active: list[Entry] = []
        self._obsolete: list[Entry] = []

    def catalog(self, text: str) -> Catalog:
        lines = text.rstrip(" \t\n").split("\n")
        for number, line in enumerate(lines, start=1):
            if line := line.strip(" \t"):
                self._line(number, line, last=number == len(lines))
        if self._draft != _Draft() and self._draft.translation is None:
            message = "the file ends within a message; restore its end"
            self._refuse(len(lines), "truncated", message)
        self._finish()
        if findings := tuple(self._findings()):
            raise CatalogError(findings)
        header, *entries = self._active
        fields = tuple((name, value) for name, value in _fields(header) if value is not None)
        return Catalog(tuple(entries), tuple(self._obsolete), fields, header.comments)

    def _line(self, number: int, line: str, *, last: bool) -> None:
        match = _MARK.match(line)
        mark = match[0] if match else ""
        rest = line[len(mark) :].strip(" \t")
        if mark in {"", "#~", "#|", "#~|"}:
            self._part(number, mark, rest, last=last)
            return
        if line.endswith("\\"):
            message = "gettext joins this line with the next; end it without a backslash"
            self._refuse(number, "syntax", message)
        draft = self._begin(number, None)
        if mark == "#":
            draft.comments.append(line[1:].removeprefix(" "))
        elif mark == "#:":
            draft.locations += rest.split()
        elif mark == "#,":
            draft.flags += [flag.strip() for flag in rest.split(",")]

    def _part(self, number: int, mark: str, rest: str, *, last: bool) -> None:
        part = _PART.fullmatch(rest)
        if part is None:
            self._refuse(number, *_diagnosis(rest, last=last))
        draft, texts = self._draft, [part["text"]]
        if part["keyword"] is None:
            if draft.open is None or draft.open[0] != mark:
                message = "this text belongs to no keyword; join it to a `msgid` or `msgstr`"
                self._refuse(number, "syntax", message)
            draft.open[1].extend(texts)
            return
        if part["keyword"] == "msgstr":
            if draft.source is None or draft.translation is not None or draft.mark != mark:
                message = "there is no `msgid` for this `msgstr`; add it"
                self._refuse(number, "syntax", message)
            draft.translation = texts
        elif mark in _PREVIOUS:
            draft = self._begin(number, mark)
            draft.previous = texts
        else:
            draft = self._begin(number, mark)
            draft.line, draft.mark, draft.source = number, mark, texts
        draft.open = (mark, texts)

    def _begin(self, number: int, mark: str | None) -> _Draft:
        """Return the message that a line goes on or begins; no mark: a comment on it."""
        self._finish()
        opened = self._draft.open  # now None, or the English before
        if opened is not None and _PREVIOUS[opened[0]] != mark:
            message = "there is no `msgid` for the English before; take it out"
            self._refuse(number, "syntax", message)
        return self._draft

    def _finish(self) -> None:
        """Close the message being read, if there is one."""
        draft = self._draft
        if draft.source is None:
            return
        if draft.translation is None:
            message = "there is no `msgstr` for this `msgid`; add it"
            self._refuse(draft.line, "syntax", message)
        (self._obsolete if draft.mark else self._active).append(draft.entry())
        self._draft = _Draft()

    def _findings(self) -> Iterator[Finding]:
        """Complain of what gettext refuses too, and of a header that says another thing."""
        first: dict[str, int] = {}
        for entry in sorted((*self._active, *self._obsolete), key=lambda each: each.line):
            earlier = first.setdefault(entry.source, entry.line)
            if earlier != entry.line:
                message = f"this message stands on line {earlier} already; keep one of them"
                yield Finding(self._path, entry.line, "duplicate", message)
        header = self._active[0] if self._active else None
        if header is None or header.source:
            message = 'there is no header; begin with the `msgid ""` of another catalog'
            yield Finding(self._path, 1, "header", message)
            return
        for message in self._header(header):
            yield Finding(self._path, header.line, "header", message)

    def _header(self, header: Entry) -> Iterator[str]:
        fields = dict(_fields(header))
        for name, value in fields.items():
            if value is None:
                yield f"`{name}` is no header field; write `Name: value`"
        if not _UTF_8.fullmatch(fields.get("Content-Type") or ""):
            yield "the header must say `Content-Type: text/plain; charset=UTF-8`"
        language = fields.get("Language")
        if language and self._locale and _tongue(language) != _tongue(self._locale):
            yield f"the header says `Language: {language}`, the folder says {self._locale}"

    def _refuse(self, line: int, rule: str, message: str) -> NoReturn:
        _refuse(self._path, line, rule, message)


def _diagnosis(rest: str, *, last: bool) -> tuple[str, str]:
    """Return the rule and the message for a line that is no part of a message."""
    keyword, quote, _ = rest.partition('"')
    keyword = keyword.strip()
    if keyword.startswith(_OTHER_KEYWORDS):
        return "syntax", f"`{keyword}` has no meaning here: there are no contexts and no plurals"
    if escape := re.search(r'\\[^nt"\\]', rest):
        return "syntax", f"`{escape[0]}` has no meaning here; write the character, or `\\\\`"
    known = keyword in {"", *_KEYWORDS} if quote else False
    if last and (known or any(name.startswith(rest) for name in _KEYWORDS)):
        return "truncated", "the file ends within a text; restore its end"
    if known:
        return "syntax", 'a text begins and ends with `"` on its line; write `\\"` within it'
    return "syntax", "this is no line of a catalog; mend it, or make it a comment with `# `"


def _fields(header: Entry) -> Iterator[tuple[str, str | None]]:
    """Return the fields of a header, in order; a line that is none has no value."""
    for line in header.translation.split("\n"):
        if line.strip():
            match = _FIELD.fullmatch(line)
            yield (match["name"], match["value"].strip()) if match else (line, None)


def _tongue(locale: str) -> str:
    return re.split("[_@.-]", locale)[0].lower()
