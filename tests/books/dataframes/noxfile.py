"""The verbs of this book: `nox -l` lists them, `nox -s VERB -- ...` passes words on to polytab."""

import nox

nox.options.reuse_venv = "yes"
nox.options.sessions = ["build"]


def run(session: nox.Session) -> None:
    """Install polytab once, and run the verb that the session is called after."""
    session.install("polytab[book]")
    session.run("polytab", session.name, *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Run the scripts that have changed, then build the pages, into _build/site/."""
    run(session)


@nox.session
def live(session: nox.Session) -> None:
    """Serve one language, and show what is saved in the browser: -- [language]."""
    run(session)


@nox.session
def record(session: nox.Session) -> None:
    """Run the scripts that have changed and save their outputs: -- [page] [framework]."""
    run(session)


@nox.session
def verify(session: nox.Session) -> None:
    """Run scripts again and show what does not repeat: -- [page] [framework]."""
    run(session)


@nox.session
def translate(session: nox.Session) -> None:
    """Bring the catalogs up to their pages: -- [--add language]."""
    run(session)


@nox.session
def check(session: nox.Session) -> None:
    """Check scripts, recordings, pages and catalogs."""
    run(session)


@nox.session
def pin(session: nox.Session) -> None:
    """Choose the versions of an environment: -- framework [package ...] [--upgrade]."""
    run(session)
