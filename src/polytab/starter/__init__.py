"""The files of a new book: the least that is a real one, rendered from `files/`."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING

from babel.core import Locale, UnknownLocaleError
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from polytab.errors import UsageError, one_line
from polytab.interface.messages import is_shown, is_spoken, spoken_locales
from polytab.model import PLAIN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FILES = Path(__file__).parent / "files"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MEANS = re.compile(r"[\\`*_\[\]<{}$&#~]")
"""What may mean something to Markdown in a heading."""

_LONGEST = 200
_SCRIPT = "snippets/sum/framework.py"
_NAMES = (
    *("pyproject.toml", "conf.py", "noxfile.py", ".gitignore", "README.md"),
    *("docs/index.md", "docs/sum.md"),
)


@dataclass(frozen=True)
class NewFramework:
    """A framework of a new book: its name, which is what scripts import, and its package."""

    name: str
    package: str | None
    """What is to be installed; None of what comes with Python."""

    @property
    def title(self) -> str:
        """What tabs call it, until the author says better."""
        return self.package or self.name


@dataclass(frozen=True)
class NewLanguage:
    """A language of a new book: the folder of its pages, its own name, and its catalogs' locale."""

    code: str
    name: str
    locale: str


def title_of(words: str) -> str:
    """Return the title of a book; raises UsageError where it is no line that can be read."""
    title = words.strip()
    if not title or not is_shown(title):
        msg = f"`{one_line(words)}` is no title"
        raise UsageError(msg, hint="write one line, in UTF-8, of what can be seen")
    if len(title) > _LONGEST:
        msg = f"the title has {len(title)} characters"
        raise UsageError(msg, hint=f"write {_LONGEST} at most")
    return title


def frameworks_of(words: str) -> tuple[NewFramework, ...]:
    """Read `numpy,sklearn=scikit-learn`: names, each with its package where that is another."""
    found = []
    for word in words.split(","):
        name, _, package = word.strip().partition("=")
        if not _NAME.fullmatch(name) or iskeyword(name) or not _PACKAGE.fullmatch(package or name):
            msg = f"`{word}` is no framework"
            hint = "write what Python imports, and its package: numpy, sklearn=scikit-learn"
            raise UsageError(msg, hint=hint)
        if name == PLAIN:
            msg = "`python` is no framework: every book has plain Python"
            raise UsageError(msg, hint="name what is compared, such as json,orjson")
        comes_with_python = name in sys.stdlib_module_names
        found.append(NewFramework(name, package or (None if comes_with_python else name)))
    _check_unique([each.name for each in found], "framework")
    return tuple(found)


def languages_of(words: str) -> tuple[NewLanguage, ...]:
    """Read `en,ja,pt_BR`: the language that pages are written in, then the others."""
    found = []
    for word in words.split(","):
        try:
            wanted = Locale.parse(word.strip().replace("-", "_"))
        except (ValueError, UnknownLocaleError):
            msg = f"`{word}` is no language"
            raise UsageError(msg, hint="write codes such as en, ja or pt_BR") from None
        locale = _spoken(str(wanted))
        name = wanted.get_display_name() or str(wanted)
        found.append(NewLanguage(str(wanted).lower(), name[:1].upper() + name[1:], locale))
    _check_unique([each.code for each in found], "language")
    return tuple(found)


def book_files(
    title: str, frameworks: Sequence[NewFramework], languages: Sequence[NewLanguage]
) -> Mapping[str, str]:
    """Return the text of each file of a new book, by its path."""
    templates = Environment(
        loader=FileSystemLoader(_FILES),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # no HTML is written
    )
    templates.filters["toml"] = lambda text: json.dumps(text, ensure_ascii=False)
    templates.filters["markdown"] = lambda text: _MEANS.sub(r"\\\g<0>", text)
    known = {"title": title, "frameworks": frameworks, "languages": languages}
    files = {name: templates.get_template(f"{name}.jinja").render(known) for name in _NAMES}
    script = templates.get_template(f"{_SCRIPT}.jinja")
    for framework in frameworks:
        files[f"snippets/sum/{framework.name}.py"] = script.render(framework=framework)
    return files


def _spoken(locale: str) -> str:
    """Return the locale of ours that speaks a language whose region was not said: zh -> zh_CN."""
    regions = [each for each in spoken_locales() if each.startswith(f"{locale}_")]
    return locale if is_spoken(locale) or not regions else regions[0]


def _check_unique(names: Sequence[str], kind: str) -> None:
    if len(set(names)) < len(names):
        msg = f"a {kind} is named twice"
        raise UsageError(msg, hint="name each once")
