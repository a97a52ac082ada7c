"""The verbs of this repository. `nox -l` lists them; `nox -s VERB -- ...` passes words on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2025.5"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["build"]

ROOT = Path(__file__).parent
PINS = "environments/engine.txt"
HASHES = "environments/engine.hashes.txt"
VALIDATOR = "vnu-jar@24.10.17"  # later packages have no jar
PATIENCE = 120  # seconds for an advisory source to answer


def install(session: nox.Session, *extras: str) -> None:
    """Install polytab with these extras; nothing is done where nothing has changed.

    pip chooses among the pinned versions, for this Python and system, and then takes only files
    with the pinned hashes; so it does with what builds polytab itself.
    """
    files = ("pyproject.toml", PINS, HASHES, "noxfile.py")
    wanted = "".join((ROOT / name).read_text(encoding="utf-8") for name in files)
    stamp = Path(session.virtualenv.location) / "polytab.stamp"
    digest = hashlib.sha256(f"{extras}{wanted}".encode()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest:
        return
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra in (*extras, "build"):
        asked += project["optional-dependencies"][extra]
    chosen, hashed = stamp.with_name("chosen.json"), stamp.with_name("hashed.txt")
    pip = ("python", "-m", "pip", "install", "-q", "--disable-pip-version-check")
    dry = ("--dry-run", "--ignore-installed", "--report", str(chosen), "-c", PINS)
    session.run_install(*pip, *dry, *asked, silent=True)
    listed = json.loads(chosen.read_text(encoding="utf-8"))["install"]
    hashed.write_text(with_hashes([each["metadata"] for each in listed]), encoding="utf-8")
    session.run_install(*pip, "--require-hashes", "--no-deps", "-r", str(hashed))
    session.run_install(*pip, "--no-deps", "--no-build-isolation", "-e", ".")
    stamp.write_text(digest, encoding="utf-8")


def with_hashes(chosen: list[dict[str, str]]) -> str:
    """Return the lines of a requirements file for packages of a name and version."""
    text = (ROOT / HASHES).read_text(encoding="utf-8")
    blocks = re.findall(
        r"^([\w.-]+)==([^\s;]+)[^\\\n]*((?:\\\n +--hash=\S+ ?)+)", text, re.MULTILINE
    )
    hashes = {(name, version): found for name, version, found in blocks}
    lines = []
    for each in chosen:
        name, version = re.sub(r"[-_.]+", "-", each["name"]).lower(), each["version"]
        lines.append(f"{name}=={version} {hashes[name, version]}\n")
    return "".join(lines)


def recorder() -> tuple[str, ...]:
    """Return what a machine that records needs; a shared store has packages of its own."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    named = os.environ.get("POLYTAB_STORE", settings["polytab"].get("store"))
    return ("record", "store") if named else ("record",)


@nox.session
def build(session: nox.Session) -> None:
    """Run what is stale, then build the pages: -- [language ...] [--no-record] [--strict]."""
    nothing_runs = "--no-record" in session.posargs
    install(session, *(("site",) if nothing_runs else (*recorder(), "site")))
    session.run("polytab", "build", *session.posargs)


@nox.session
def live(session: nox.Session) -> None:
    """Serve one language, and show what is saved in the browser: -- [language] [--no-record]."""
    nothing_runs = "--no-record" in session.posargs
    install(session, *(("site",) if nothing_runs else (*recorder(), "site")))
    session.run("polytab", "live", *session.posargs)


@nox.session
def export(session: nox.Session) -> None:
    """Make EPUB, PDF and Markdown of the pages, into _build/books/: -- [language ...]."""
    install(session, "site", "export")
    session.run("polytab", "export", "--strict", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; no framework is installed: -- [--coverage] [pytest arguments]."""
    install(session, "record", "store", "site", "dev")
    words = ["pytest", "--ignore=tests/browser", "--ignore=tests/books", *session.posargs]
    if "--coverage" not in words:
        session.run(*words)
        return
    words.remove("--coverage")
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", *words)
    session.run("coverage", "combine", "-q")
    session.run("coverage", "report")


@nox.session
def wheel(session: nox.Session) -> None:
    """Make two books with the wheel, outside of this checkout: -- [pytest arguments]."""
    install(session, "record", "site", "dev")
    session.run("pytest", "-n0", "tests/books", *session.posargs)


@nox.session
def soak(session: nox.Session) -> None:
    """Search for what the short tests miss, for long: -- [--minutes 20] [pytest arguments]."""
    install(session, "record", "store", "site", "dev")
    elsewhere = ("--ignore=tests/browser", "--ignore=tests/books")
    chosen = ("-m", "soak or hypothesis", *elsewhere, "--minutes", "20")
    session.run("pytest", *chosen, "--dist", "worksteal", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Open really built pages in Chromium; that, Java and npm are needed: -- [pytest arguments]."""
    install(session, "record", "site", "dev", "browser", "export")
    home = ROOT / "_build" / "vnu"
    jar = home / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
    if not jar.is_file():
        npm = ("npm", "install", "--no-audit", "--no-fund", "--prefix", str(home), VALIDATOR)
        session.run(*npm, external=True, silent=True)
    environment = {"POLYTAB_VNU": str(jar)}
    session.run("pytest", "tests/browser", *session.posargs, env=environment)


@nox.session
def picture(session: nox.Session) -> None:
    """Take the README's picture of a page again, light and dark; Chromium is needed."""
    install(session, "site", "browser")
    session.run("python", "bench/picture.py")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure builds beside plain Sphinx with furo, into bench/RESULTS.md: -- [pages]."""
    install(session, "site")
    session.install("-c", PINS, "furo==2025.12.19", "nox")
    session.run("python", "bench/builds.py", *session.posargs)


@nox.session
def check(session: nox.Session) -> None:
    """Lint, types, import rules, workflows; whether all agree; what is stale or vulnerable."""
    install(session, "record", "site", "dev", "browser", "export")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")
    workflows = sorted(str(path) for path in ROOT.glob(".github/workflows/*"))
    session.run("zizmor", "--offline", "--persona", "pedantic", "-q", *workflows)
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    session.run("polytab", "check")
    session.run("polytab", "translate", "--check")
    audit(session)


def audit(session: nox.Session) -> None:
    """Say which pinned packages of the engine have known weaknesses; fail for none.

    An advisory of tomorrow must not fail a change of today; the weekly look at the pins is a
    person's. Where no advisory source answers, this says so and never that all is well.
    """
    report = Path(session.create_tmp()) / "audit.json"
    report.unlink(missing_ok=True)
    command = [f"{session.bin}/pip-audit", "-r", PINS, "--no-deps", "--disable-pip", "-f", "json"]
    command += ["-o", str(report), "--progress-spinner", "off", "--timeout", "10"]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, check=False, capture_output=True, timeout=PATIENCE, cwd=ROOT)
    looked_up = json.loads(report.read_text()) if report.is_file() else {}
    found = [each for each in looked_up.get("dependencies", ()) if "skip_reason" not in each]
    if not found:
        session.log("known weaknesses: not checked, no advisory source can be reached")
        return
    weak = [each for each in found if each["vulns"]]
    for each in weak:
        known = ", ".join(vulnerability["id"] for vulnerability in each["vulns"])
        session.warn(f"{each['name']} {each['version']} has known weaknesses: {known}")
    session.log(f"known weaknesses: {len(found)} packages checked, {len(weak)} have some")


@nox.session
def translate(session: nox.Session) -> None:
    """Bring the catalogs up to their pages: -- [--check] [--add language]."""
    install(session, "site")
    session.run("polytab", "translate", *session.posargs)


@nox.session
def record(session: nox.Session) -> None:
    """Run stale scripts and save into recordings/: -- [page ...] [framework ...] [--all]."""
    install(session, *recorder())
    session.run("polytab", "record", *session.posargs)


@nox.session
def verify(session: nox.Session) -> None:
    """Run scripts again and show what does not repeat: -- [page ...] [--minutes n]."""
    install(session, "record")
    session.run("polytab", "verify", *session.posargs)


@nox.session
def plan(session: nox.Session) -> None:
    """List the scripts and say which must run, and why: -- [page ...] [framework ...]."""
    install(session, "record")
    session.run("polytab", "plan", *session.posargs)


@nox.session
def compare(session: nox.Session) -> None:
    """Show which recordings say something else than those of a commit: -- COMMIT."""
    install(session, "record")
    session.run("polytab", "compare", *session.posargs)


@nox.session
def changes(session: nox.Session) -> None:
    """Tell whether a change is a translation, text or code: -- BASE [--in folder]."""
    install(session, "site")
    session.run("polytab", "changes", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check the words of pages and catalogs, running nothing of them: -- [other checkout]."""
    install(session, "site")
    session.run("polytab", "lint", *session.posargs)


@nox.session
def links(session: nox.Session) -> None:
    """Ask other hosts for every address that the pages link to."""
    install(session, "site")
    session.run("polytab", "links")


@nox.session
def status(session: nox.Session) -> None:
    """Say how far each page is translated: -- [--json] [--markdown]."""
    install(session, "site")
    session.run("polytab", "status", *session.posargs)


@nox.session
def pin(session: nox.Session) -> None:
    """Choose the versions of an environment: -- framework [package ...] [--upgrade]."""
    install(session, "record")
    session.run("polytab", "pin", *session.posargs)
