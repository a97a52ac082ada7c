"""Sphinx in a process of its own, which begins as a copy of one that has imported Sphinx.

Laws, guarded by tests/cli/test_faults.py and tests/site/test_second.py: a fault of the system, such
as a full disk or a page that is gone, is one error; a run after one that was interrupted, or had
something to complain of, reads all pages again.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING, Any

from sphinx.application import Sphinx, builtin_extensions
from sphinx.errors import ExtensionError, SphinxError
from sphinx.util.console import color_terminal, nocolor
from sphinx.util.docutils import docutils_namespace, patch_docutils

from polytab.errors import PolytabError, fault_of_system, system_error
from polytab.model import digest, digest_path
from polytab.processes import CONTEXT, end_with_parent, killed, obey_parent_alone, signals_held
from polytab.recordings.atomic import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

    _Connect = Callable[[Sphinx, Callable[[Any], None]], None]

_EXTENSIONS = (
    *("sphinx.builders.html", "sphinx.builders.latex.transforms", "sphinx.ext.mathjax"),
    *("myst_parser.sphinx_ext.main", "myst_nb.sphinx_ext", "sphinx_tabs.tabs"),
    *("polytab.pages", "polytab.export"),
)
"""What a build imports; MyST imports its own modules when it is set up, so they are named here."""

_GARBAGE = 100_000
"""New objects between two looks for garbage: documents are many objects, none of them garbage."""


@dataclass(frozen=True)
class SphinxRun:
    """What Sphinx is to do with a language."""

    settings: Settings
    language: Language
    folder: Path
    """Where it writes."""

    purpose: str = "html"
    """What it reads for: a builder decides while reading, so no two purposes share doctrees."""

    builder: str = "html"
    values: Mapping[str, object] = field(default_factory=dict)
    """Settings beside those of `conf.py`."""

    strict: bool = False
    """Whether a warning is a failure."""

    from_nothing: bool = False
    """Whether its folder is emptied before, so that nothing in it is kept for the next run."""

    @property
    def doctrees(self) -> Path:
        """Where it keeps the documents that it has read."""
        return self.settings.build / "doctrees" / self.purpose / self.language.code


@dataclass(frozen=True)
class Warned:
    """Sphinx complains of something, in these words."""

    text: str


def import_sphinx() -> None:
    """Import what every build needs, once, before its processes are forked."""
    gc.set_threshold(_GARBAGE, 20, 20)
    for name in (*builtin_extensions, *_EXTENSIONS):
        import_module(name)
    gc.freeze()


def run_to_end(run: SphinxRun) -> bool:
    """Run Sphinx and print its complaints; return whether it had none that is a failure.

    Raises PolytabError where the system fails it, or it is killed.
    """
    ours, theirs = CONTEXT.Pipe(duplex=False)
    anew = not take_finished(run)
    if run.from_nothing:
        shutil.rmtree(run.folder, ignore_errors=True)
    process = CONTEXT.Process(target=run_sphinx, args=(run, anew, theirs))
    with signals_held():
        process.start()
    theirs.close()
    try:
        with suppress(EOFError):
            while True:
                said = ours.recv()
                if isinstance(said, PolytabError):
                    raise said
                sys.stderr.write(said.text)
        process.join()
    finally:
        process.terminate()
        process.join()
    fault = killed(process, "Sphinx", run.folder)
    if fault:
        raise fault
    if process.exitcode:
        return False
    note_finished(run)
    return True


def take_finished(run: SphinxRun) -> bool:
    """Tell whether a run has finished in these folders; from now on it counts as unfinished.

    Where it has not, or what it left is not as it was left, all pages are to be read again: Sphinx
    tells of a fault only where it reads it, notes pages as read before they are written, and trusts
    what it finds.
    """
    finished = _finished(run)
    try:
        noted = finished.read_bytes()
    except OSError:
        return False
    finished.unlink()
    return noted == _digest_left(run)


def note_finished(run: SphinxRun) -> None:
    """Note that a run has written its pages without a complaint, and what it has left."""
    write_atomic(_finished(run), _digest_left(run))


def _finished(run: SphinxRun) -> Path:
    return run.doctrees.with_suffix(".finished")


def _digest_left(run: SphinxRun) -> bytes:
    kept = (run.doctrees,) if run.from_nothing else (run.folder, run.doctrees)
    return digest(" ".join(map(digest_path, kept))).encode()


def run_sphinx(
    run: SphinxRun,
    anew: bool,  # noqa: FBT001  # a process takes no names
    told: Connection | None = None,
    connect: _Connect | None = None,
) -> None:
    """Run Sphinx in a process of its own, which exits with 0, or 1 where it complained.

    `anew` has all pages read again. What it complains of is sent to `told`; without that,
    complaints are printed. `connect` is called with the application and what sends.
    """
    obey_parent_alone()
    end_with_parent()  # others may write in its folders then
    os.chdir(run.settings.root)
    sys.path.insert(0, str(run.settings.root))  # `conf.py` may import what lies beside it
    if not color_terminal():
        nocolor()
    try:
        sys.exit(_run(run, anew=anew, told=told, connect=connect))
    except Exception as error:
        fault = fault_of_system(error)
        full = system_error(fault, run.settings.build) if fault else None
        said = full or _complaint(error)
        if said is None:
            raise
        if told:
            told.send(full or Warned(f"error: {said}\n"))
            sys.exit(1)
        sys.exit(f"error: {said}")


def _run(run: SphinxRun, *, anew: bool, told: Connection | None, connect: _Connect | None) -> int:
    """Run Sphinx; return 0, or 1 where it had to complain and was strict."""
    root = run.settings.root
    with patch_docutils(root), docutils_namespace():
        app = Sphinx(
            *(run.settings.docs, root, run.folder, run.doctrees, run.builder),
            confoverrides={"language": run.language.locale, **run.values},
            status=None,
            warning=_Sent(told) if told else sys.stderr,
            freshenv=anew,
            warningiserror=run.strict,
        )
        if told and connect:
            connect(app, told.send)
        app.build()
        return app.statuscode


class _Sent(StringIO):
    """A stream that sends what is written to it."""

    def __init__(self, told: Connection) -> None:
        super().__init__()
        self._told = told

    def write(self, text: str) -> int:
        self._told.send(Warned(text))
        return len(text)


def _complaint(error: Exception) -> str | None:
    """Return what people can do something about; None where it is a fault in a program."""
    cause = error.__cause__
    if isinstance(cause, PolytabError):
        return str(cause)
    if isinstance(error, SphinxError) and not (isinstance(error, ExtensionError) and cause):
        return f"{error.category}: {error}"
    return None
