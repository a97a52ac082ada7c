"""One catalog: what a `.po` file says, a strict reader and a writer for it.

Babel reads `#|` as a translator's comment, merges messages that stand twice, takes a text that
was cut off for a translation and breaks translators' comments at 76 columns; so reading and
writing are done here (docs/contributing/decisions/0401-reading-catalogs.md).

Laws, guarded by tests/translations/test_catalogs.py: what is written is what is read back; what
is read, GNU gettext reads too, to the same messages; any other file is refused whole, so that
nothing half-read is ever written over it.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from babel.messages.pofile import normalize

from polytab.errors import PolytabError
from polytab.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_BYTES = 4_000_000
"""More than any page: a catalog beyond this is refused before it is read."""

_MARK = re.compile(r"(?P<mark>#~\||#[~|,:.]|#|)(?P<rest>.*)")
_PART = re.compile(r'(?:(?P<keyword>msgid|msgstr)\s+)?"(?P<text>(?:[^"\\]|\\[nt"\\])*)"')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FIELD = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9-]*):[ \t]*(?P<value>.*)")
_CHARSET = re.compile(r"charset=(?P<name>[^\s;]+)")


@dataclass(frozen=True)
class Entry:
    """An English text and its translation; a fuzzy one was made from `previous`, if that is known.

    Only a translation can be fuzzy, and only a fuzzy one has a `previous`.
    """

    source: str
    translation: str = ""
    fuzzy: bool = False
    previous: str | None = None
    comments: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    line: int = field(default=1, compare=False)

    @property
    def english(self) -> str:
        """The English the translation was made from."""
        return self.source if self.previous is None else self.previous


@dataclass(frozen=True)
class Catalog:
    """The messages of one page in one language, in the order of the page.

    `obsolete` keeps the translations of messages that left the page; they may come back.
    """

    entries: tuple[Entry, ...]
    obsolete: tuple[Entry, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()


class CatalogError(PolytabError):
    """A catalog that cannot be read, with everything that must be mended in it."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        first = findings[0]
        super().__init__(first.message, file=first.file, line=first.line)
        self.findings = tuple(findings)


def read_catalog(path: Path, locale: str | None) -> Catalog | None:
    """Read a catalog, or a template where `locale` is None; None where there is no file."""
    if path.is_symlink():
        _refuse(path, None, "link", "this is a link; put the catalog itself here")
    try:
        if path.stat().st_size > MAX_BYTES:
            message = f"the catalog is larger than {MAX_BYTES // 1_000_000} MB; split the page"
            _refuse(path, None, "size", message)
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _refuse(path, None, "unreadable", f"the catalog cannot be read: {error.strerror}")
    return _Reader(path, locale).catalog(_decode(path, data))


def catalog_text(catalog: Catalog) -> str:
    """Spell a catalog: no line is broken, so that a change of one message is a small difference."""
    header = "".join(f"{name}: {value}\n" for name, value in catalog.fields)
    blocks = [_block(Entry("", header, comments=catalog.comments))]
    blocks += [_block(entry) for entry in catalog.entries]
    blocks += [_block(entry, "#~ ") for entry in catalog.obsolete]
    return "\n".join(blocks)


def write_whole(path: Path, content: bytes) -> bool:
    """Write a file whole or not at all; say whether it changed."""
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True


def _block(entry: Entry, mark: str = "") -> str:
    lines = [f"# {comment}".rstrip() for comment in entry.comments]
    lines += [f"#: {location}" for location in entry.locations]
    if entry.fuzzy:
        lines.append("#, fuzzy")
    if entry.previous is not None:
        lines.append(f"#| msgid {normalize(entry.previous, prefix='#| ', width=0)}")
    lines.append(f"{mark}msgid {normalize(entry.source, prefix=mark, width=0)}")
    lines.append(f"{mark}msgstr {normalize(entry.translation, prefix=mark, width=0)}")
    return "\n".join(lines) + "\n"


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
    comments: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    obsolete: bool = False
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
        return Entry(
            source,
            translation,
            fuzzy,
            previous if fuzzy and self.previous is not None else None,
            tuple(self.comments),
            tuple(self.locations),
            self.line,
        )


class _Reader:
    """Reads one catalog line by line; what cannot be understood ends the reading."""

    def __init__(self, path: Path, locale: str | None) -> None:
        self._path = path
        self._locale = locale
        self._draft = _Draft()
        self._read: list[tuple[Entry, bool]] = []

    def catalog(self, text: str) -> Catalog:
        lines = text.rstrip().split("\n")
        for number, line in enumerate(lines, start=1):
            if line := line.strip():
                self._line(number, line, last=number == len(lines))
        if self._draft != _Draft() and not self._finished():
            self._refuse(len(lines), "truncated", "the file ends within a message; restore its end")
        self._finish()
        if findings := tuple(self._findings()):
            raise CatalogError(findings)
        (header, _), *messages = self._read
        return Catalog(
            tuple(entry for entry, obsolete in messages if not obsolete),
            tuple(entry for entry, obsolete in messages if obsolete),
            tuple((name, value) for name, value in _fields(header) if value is not None),
            header.comments,
        )

    def _line(self, number: int, line: str, *, last: bool) -> None:
        match = _MARK.fullmatch(line)
        mark, rest = (match["mark"], match["rest"].strip()) if match else ("", line)
        if mark in {"", "#~", "#|", "#~|"}:
            self._part(number, mark, rest, last=last)
            return
        self._finish()
        if mark == "#":
            self._draft.comments.append(line[1:].removeprefix(" "))
        elif mark == "#:":
            self._draft.locations += rest.split()
        elif mark == "#,":
            self._draft.flags += [flag.strip() for flag in rest.split(",")]

    def _part(self, number: int, mark: str, rest: str, *, last: bool) -> None:
        part = _PART.fullmatch(rest)
        if part is None:
            rule = "truncated" if last and rest.count('"') % 2 else "syntax"
            self._refuse(number, rule, _diagnosis(rest, last=last))
        keyword, draft = part["keyword"], self._draft
        if keyword is None:
            if draft.open is None or draft.open[0] != mark:
                self._refuse(number, "syntax", "this text belongs to nothing; join it to a message")
            draft.open[1].append(part["text"])
            return
        texts = [part["text"]]
        if keyword == "msgstr":
            if draft.source is None or draft.translation is not None or mark not in {"", "#~"}:
                self._refuse(number, "syntax", "there is no `msgid` for this `msgstr`; add it")
            draft.translation = texts
        else:
            self._finish()
            draft = self._draft
            if mark in {"#|", "#~|"}:
                draft.previous = texts
            else:
                draft.line, draft.source, draft.obsolete = number, texts, mark == "#~"
        draft.open = (mark, texts)

    def _finished(self) -> bool:
        return self._draft.translation is not None

    def _finish(self) -> None:
        """Close the message being read, if there is one, before the next begins."""
        draft = self._draft
        if draft.source is None:
            return
        if draft.translation is None:
            self._refuse(draft.line, "syntax", "there is no `msgstr` for this `msgid`; add it")
        self._read.append((draft.entry(), draft.obsolete))
        self._draft = _Draft()

    def _findings(self) -> Iterator[Finding]:
        """Complain of what gettext would refuse, or take to mean something else."""
        first: dict[str, int] = {}
        for entry, _ in self._read:
            if entry.source in first:
                message = (
                    f"this message stands on line {first[entry.source]} already; keep one of them"
                )
                yield Finding(self._path, entry.line, "duplicate", message)
            first.setdefault(entry.source, entry.line)
        if not self._read or self._read[0][0].source:
            message = 'there is no header; begin with the `msgid ""` of another catalog'
            yield Finding(self._path, 1, "header", message)
            return
        header = self._read[0][0]
        for message in self._header(header):
            yield Finding(self._path, header.line, "header", message)

    def _header(self, header: Entry) -> Iterator[str]:
        fields = dict(_fields(header))
        for name, value in fields.items():
            if value is None:
                yield f"`{name}` is no header field; write `Name: value`"
        charset = _CHARSET.search(fields.get("Content-Type") or "")
        if charset is None or charset["name"].upper() != "UTF-8":
            yield "the header must say `Content-Type: text/plain; charset=UTF-8`"
        language = fields.get("Language")
        if language and self._locale and _tongue(language) != _tongue(self._locale):
            yield f"the header says `Language: {language}`, the folder says {self._locale}"

    def _refuse(self, line: int, rule: str, message: str) -> NoReturn:
        _refuse(self._path, line, rule, message)


def _diagnosis(rest: str, *, last: bool) -> str:
    """Say what is wrong with a line that is no part of a message."""
    keyword = rest.partition('"')[0].strip()
    if keyword.startswith(("msgctxt", "msgid_plural", "msgstr[")):
        return f"`{keyword}` has no meaning here; messages have neither contexts nor plurals"
    if keyword not in {"", "msgid", "msgstr"} or '"' not in rest:
        return "this is no line of a catalog; mend it, or begin it with `# ` if it is a comment"
    if escape := re.search(r'\\[^nt"\\]', rest):
        return f"`{escape[0]}` has no meaning here; write the character itself, or `\\\\`"
    if last:
        return "the file ends within a text; restore its end"
    return 'the text must begin and end with `"` on this line; write `\\"` within it'


def _fields(header: Entry) -> Iterable[tuple[str, str | None]]:
    """Return the fields of a header, in order; a line that is none has no value."""
    for line in header.translation.split("\n"):
        if line.strip():
            match = _FIELD.fullmatch(line)
            yield (match["name"], match["value"].strip()) if match else (line, None)


def _tongue(locale: str) -> str:
    return re.split("[_@.-]", locale)[0].lower()
