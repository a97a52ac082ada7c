"""The verbs of this repository. `nox -l` lists them; `nox -s VERB -- ...` passes words on."""

from __future__ import annotations

import hashlib
from pathlib import Path

import nox

nox.needs_version = ">=2025.5"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["build"]

ROOT = Path(__file__).parent
PINS = "environments/engine.txt"


def install(session: nox.Session, *extras: str) -> None:
    """Install polytab with these extras; nothing is done where nothing has changed."""
    wanted = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", PINS))
    stamp = Path(session.virtualenv.location) / "polytab.stamp"
    digest = hashlib.sha256(f"{extras}{wanted}".encode()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return
    session.install("-c", PINS, "-e", f".[{','.join(extras)}]")
    stamp.write_text(digest, encoding="utf-8")


@nox.session
def build(session: nox.Session) -> None:
    """Run what is stale, then build the pages: -- [language ...] [--no-record] [--strict]."""
    nothing_runs = "--no-record" in session.posargs
    install(session, *(("site",) if nothing_runs else ("record", "site")))
    session.run("polytab", "build", *session.posargs)


@nox.session
def live(session: nox.Session) -> None:
    """Serve the pages and rebuild on every save: -- [language]."""
    install(session, "record", "site")
    session.run("polytab", "live", *session.posargs)


@nox.session
def export(session: nox.Session) -> None:
    """Make EPUB, PDF and Markdown of the pages, into _build/books/: -- [language ...]."""
    install(session, "site", "export")
    session.run("polytab", "export", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; no framework is installed: -- [pytest arguments]."""
    install(session, "record", "site", "dev")
    session.run("pytest", "--ignore=tests/browser", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Open really built pages in Chromium, which must be installed: -- [pytest arguments]."""
    install(session, "record", "site", "dev", "browser", "export")
    session.run("pytest", "-n0", "tests/browser", *session.posargs)


@nox.session
def check(session: nox.Session) -> None:
    """Lint, types, import rules; whether pages, scripts and catalogs agree; what is stale."""
    install(session, "record", "site", "dev", "browser", "export")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")
    session.run("polytab", "check")
    session.run("polytab", "translate", "--check")


@nox.session
def translate(session: nox.Session) -> None:
    """Bring the catalogs up to their pages: -- [--check] [--add language]."""
    install(session, "site")
    session.run("polytab", "translate", *session.posargs)


@nox.session
def record(session: nox.Session) -> None:
    """Run stale scripts and save into recordings/: -- [page ...] [framework ...] [--all]."""
    install(session, "record")
    session.run("polytab", "record", *session.posargs)


@nox.session
def verify(session: nox.Session) -> None:
    """Run scripts again and show what does not repeat: -- [page ...] [framework ...]."""
    install(session, "record")
    session.run("polytab", "verify", *session.posargs)
