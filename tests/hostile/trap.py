"""A program of its own that feeds inputs to the engine, in a trap: `python -m ... FOLDER SEED`.

While the engine reads, any process started, any connection and any file written outside `_build/`
is noted; Python reports them to an audit hook, which cannot be taken off again. It prints as JSON
what came of each kind of input, and a traceback where the engine raised anything but its own error.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from polytab.errors import PolytabError
from polytab.interface.messages import messages_of
from polytab.pages.code.outputs import clean
from polytab.pages.drawing import DrawingError, read_drawing
from polytab.pages.markdown.allowed import find_refused
from polytab.pages.markdown.claims import claims_of
from polytab.pages.markdown.translatable import lint_source
from polytab.recordings.files import load_recording, recording_path
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from polytab.translations.compiled import compile_catalogs
from polytab.translations.terms import load_named_terms
from tests.support.handbook import record, write, write_handbook
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from polytab.settings import Settings

_STARTS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.spawn", "pty.")
_CONNECTS = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.")
_WRITES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod")
_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_RUNS = 150


class Trap:
    """Notes what must not happen while it is set."""

    def __init__(self, allowed: Path) -> None:
        self.allowed = allowed.resolve()
        self.noted: list[str] = []
        self._set = False
        sys.addaudithook(self._hear)

    @contextmanager
    def set(self) -> Iterator[None]:
        """Note what happens inside."""
        self._set = True
        try:
            yield
        finally:
            self._set = False

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._set:
            return
        if event.startswith((*_STARTS, *_CONNECTS)):
            self.noted.append(f"{event} {arguments!r}"[:200])
        elif event == "open":
            path, mode, flags = arguments
            written = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & _FLAGS)
            if written and isinstance(path, str | os.PathLike | bytes):
                self._written(event, os.fsdecode(path))
        elif event in _WRITES:
            self._written(event, os.fsdecode(arguments[0]))

    def _written(self, event: str, name: str) -> None:
        path = Path(name).absolute()  # not resolved: that would be heard as well
        inside = os.path.normpath(path).startswith(f"{self.allowed}{os.sep}")
        if not inside and path != Path(os.devnull):
            self.noted.append(f"{event} {name}")


_PIECES = (
    *("# %% a\n", "# %% [markdown]\n", "#| ", "# ///", " polytab\n", "import os\n", "!rm x\n"),
    *("%cd ..\n", "__import__('os').system('echo > ran.txt')", "open('ran.txt', 'w')\n", "x = 1\n"),
    *('data = ["../../etc/passwd"]\n', "# timeout = 1e9\n", "# gpus = -1\n", "\0", "\x1b[2J"),
    *("[tool.polytab]\n", 'title = "x"\n', 'build = "/tmp/elsewhere"\n', 'docs = ".."\n', "= ["),
    *(
        'msgid ""\n',
        'msgstr ""\n',
        'msgid "Tour"\nmsgstr "',
        '"\n',
        "#, fuzzy\n",
        "#| msgid",
        "#~ ",
    ),
    *(
        "```{include} /etc/passwd\n```\n",
        "---\nmyst: {}\n---\n",
        "{{ env }}",
        "<script>x()</script>",
    ),
    *(
        ":::{verdict} a: b vs c\n",
        "{ratio}`a: b vs c`",
        "[x](javascript:x)",
        "![](../x)",
        "\\",
        "`",
    ),
    *(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'>",
        "<a href='x'>",
        "</svg>",
        "&x;",
    ),
    *("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>", '{"cells": [', "]}", "{", "}", ","),
    *("\u202e", "\ufeff", "é", "中", "\r\n", "\r", "\n", " " * 9, "9" * 400, "(" * 300, "[" * 3000),
)


def texts(good: str) -> st.SearchStrategy[bytes]:
    """Give what a stranger may put in the place of a good file: pieces, bytes, damage."""
    pieces = st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), max_size=12).map("".join)
    cuts = st.tuples(st.integers(0, len(good)), pieces, st.integers(0, len(good)))
    damaged = cuts.map(lambda cut: good[: cut[0]] + cut[1] + good[cut[2] :])
    spelled = (pieces | damaged).map(lambda text: text.encode(errors="replace"))
    return spelled | st.binary(max_size=40)


def _script(handbook: Settings) -> None:
    load_scripts(handbook, ["tour"])


def _settings(handbook: Settings) -> None:
    load_settings(handbook.root)


def _catalog(handbook: Settings) -> None:
    compile_catalogs(handbook, handbook.languages[1])


def _recording(handbook: Settings) -> None:
    load_recording(recording_path(handbook.recordings, "tour", "torch", "cpu"))


def _page(handbook: Settings) -> None:
    path = handbook.docs / "tour.md"
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        list(lint_source(path))
        return
    list(find_refused(handbook.docs, path))
    list(claims_of(path, text))
    list(lint_source(path))


def _drawing(handbook: Settings) -> None:
    path = handbook.docs / "flow.svg"
    clean(path.read_bytes().decode(errors="replace"))
    try:
        read_drawing(path, "checked")
    except DrawingError:
        return


def _words(handbook: Settings) -> None:
    locale = handbook.languages[1].locale
    messages_of.cache_clear()
    messages_of(locale, handbook.words_file(locale))


def _terms(handbook: Settings) -> None:
    load_named_terms(handbook, handbook.languages[1])


KINDS: dict[str, tuple[str, Callable[[Settings], None]]] = {
    "script": ("snippets/tour/torch.py", _script),
    "settings": ("pyproject.toml", _settings),
    "catalog": ("translations/zh_CN/LC_MESSAGES/tour.po", _catalog),
    "recording": ("recordings/tour/torch.cpu.ipynb", _recording),
    "page": ("docs/tour.md", _page),
    "drawing": ("docs/flow.svg", _drawing),
    "words": ("translations/zh_CN/polytab.po", _words),
    "terms": ("docs/terms.toml", _terms),
    "glossary": ("translations/zh_CN/glossary.toml", _terms),
}
"""Each kind of input: the file a stranger writes, and what the engine does with it."""

_GOOD = {
    "docs/flow.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg>',
    "translations/zh_CN/LC_MESSAGES/tour.po": (
        'msgid ""\nmsgstr ""\n"Language: zh_CN\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Tour"\nmsgstr "导览"\n'
    ),
    "translations/zh_CN/polytab.po": (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=1; plural=0;\\n"\n\n'
        'msgid "New: {title}"\nmsgstr "新着：{title}"\n'
    ),
    "translations/zh_CN/glossary.toml": '[terms]\n"tour" = ["导览"]\n',
    "docs/terms.toml": (
        '["tour"]\ndefinition = "A walk."\nintroduced = "tour#tour"\nalso = ["trip"]\n'
    ),
}


def main(folder: Path, number: int) -> None:
    """Feed many inputs of each kind to the engine; the number is the seed of them all."""
    found = {}
    for kind in KINDS:
        (folder / kind).mkdir()
        try:
            found[kind] = feed_all(kind, folder / kind, number)
        except Exception:  # noqa: BLE001  # whatever the engine raises is told
            found[kind] = {"raised": traceback.format_exc()[-3000:]}
    sys.stdout.write(json.dumps(found))


def feed_all(kind: str, folder: Path, number: int) -> dict[str, object]:
    """Feed many inputs of a kind to the engine; return what was noted and how many it refused."""
    handbook = with_languages(write_handbook(folder))
    write(folder, _GOOD)
    record(handbook)
    name, engine = KINDS[kind]
    path = folder / name
    good = path.read_text(encoding="utf-8")
    engine(handbook)  # what is imported or cached the first time is no stranger's doing
    trap = Trap(handbook.build)
    refused = 0

    @hypothesis_settings(
        max_examples=_RUNS,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @seed(number)
    @given(texts(good))
    def feed(content: bytes) -> None:
        nonlocal refused
        path.write_bytes(content)
        with trap.set():
            try:
                engine(handbook)
            except PolytabError:
                refused += 1

    feed()
    ran = sorted(str(each) for each in folder.rglob("ran.txt"))
    return {"noted": [*dict.fromkeys(trap.noted), *ran], "refused": refused}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
