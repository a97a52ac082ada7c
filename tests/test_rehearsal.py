"""A stranger's change, rehearsed in a clone: classified and linted by the base, built or refused.

Each way in has a hostile twin. What is said of it here is what docs/contributing/trust.md says.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from polytab.settings import load_settings
from tests.support.translated import page, polytab, put, write_translated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CLAIMS = {"is slower on": "depends on", "is faster on": "runs on", "times as fast": "times"}
CATALOG = "translations/zh_CN/LC_MESSAGES/tour.po"


def _git(root: Path, *words: str) -> None:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


@dataclass(frozen=True)
class Checkouts:
    """The base, and a clone of it in which a stranger works."""

    base: Path
    change: Path


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A handbook as it is published: three languages, everything recorded and committed."""
    root = tmp_path_factory.mktemp("published")
    write_translated(root)
    conf = root / "conf.py"
    conf.write_text(conf.read_text().replace('["colon_fence"]', '["colon_fence", "substitution"]'))
    for path in (*root.rglob("*.md"), *root.rglob("*.po")):  # a fixture of another test claims much
        text = path.read_text(encoding="utf-8")
        for claim, said in CLAIMS.items():
            text = text.replace(claim, said)
        path.write_text(text, encoding="utf-8")
    (root / ".gitignore").write_text("_build/\n")
    _git(root, "init", "-q", "-b", "main")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "published")
    return root


@pytest.fixture
def checkouts(published: Path, tmp_path: Path) -> Checkouts:
    for name in ("base", "change"):
        _git(tmp_path, "clone", "-q", str(published), name)
    _git(tmp_path / "change", "switch", "-q", "-c", "theirs")
    return Checkouts(tmp_path / "base", tmp_path / "change")


def _judged(checkouts: Checkouts, capfd: pytest.CaptureFixture[str]) -> tuple[str, int, str]:
    """Commit the change; return its kind, the lint's exit code and what it said, by the base."""
    _git(checkouts.change, "add", "-A", "-f")
    _git(checkouts.change, "commit", "-q", "-m", "theirs")
    capfd.readouterr()
    assert polytab(checkouts.base, "changes", "origin/main", "--in", str(checkouts.change)) == 0
    kind = capfd.readouterr().out.splitlines()[-1]
    code = polytab(checkouts.base, "lint", str(checkouts.change))
    return kind, code, capfd.readouterr().out


def _traces(root: Path) -> list[Path]:
    return [path for path in root.parent.rglob("ran.txt") if path.is_file()]


def test_a_translation_is_built_and_seen_without_running_anything(
    checkouts: Checkouts, capfd: pytest.CaptureFixture[str]
) -> None:
    put(checkouts.change / CATALOG, "每段代码都能运行。", "每段代码都可以运行。")
    assert _judged(checkouts, capfd) == ("translation", 0, "0 findings\n")
    shutil.rmtree(checkouts.change / "_build", ignore_errors=True)
    assert polytab(checkouts.change, "build", "zh", "--no-record") == 0
    settings = load_settings(checkouts.change)
    assert "每段代码都可以运行。" in page(settings, "zh/tour.html").get_text()
    assert not (settings.build / "envs").exists()
    assert not settings.overlay.exists()


def test_a_text_is_built_from_what_is_recorded(
    checkouts: Checkouts, capfd: pytest.CaptureFixture[str]
) -> None:
    put(checkouts.change / "docs/tour.md", "Every snippet runs.", "Every snippet really runs.")
    assert _judged(checkouts, capfd) == ("text", 0, "0 findings\n")
    assert polytab(checkouts.change, "build", "en", "--no-record") == 0
    settings = load_settings(checkouts.change)
    assert "Every snippet really runs." in page(settings, "en/tour.html").get_text()


DUTCH = '\n[tool.polytab.languages.nl]\nname = "Nederlands"\nlocale = "nl_NL"\ntag = "nl"\n'
RUN = "__import__('pathlib').Path('ran.txt').write_text('')"
NOTEBOOK = f"""\
---
file_format: mystnb
kernelspec: {{name: python3}}
---
# Tour

```{{code-cell}}
{RUN}
```
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>ran()</script></svg>'


def _write(name: str, text: str) -> Callable[[Path], object]:
    def write(root: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


def _append(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text((root / name).read_text("utf-8") + text, "utf-8")


def _link(root: Path) -> None:
    (root / CATALOG).unlink()
    (root / CATALOG).symlink_to("/etc/hostname")


def _recording(root: Path) -> None:
    path = root / "recordings" / "tour" / "torch.cpu.ipynb"
    notebook = json.loads(path.read_bytes())
    notebook["cells"][0]["outputs"][0]["text"] = "another\n"
    path.write_text(json.dumps(notebook))


WORDS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "markup in a translation": (
        lambda root: put(root / CATALOG, "每段代码都能运行。", "<script>ran()</script>"),
        "translation",
        "[raw-html]",
    ),
    "a template in a translation": (
        lambda root: put(root / CATALOG, "每段代码都能运行。", f"{{{{ {RUN} }}}}"),
        "translation",
        "[substitutions]",
    ),
    "a file in a translation": (
        lambda root: put(root / CATALOG, "每段代码都能运行。", "[词](../pyproject.toml)"),
        "translation",
        "[links]",
    ),
    "another parser in a page": (
        _append("docs/tour.md", "\n```{eval-rst}\n.. include:: ../pyproject.toml\n```\n"),
        "text",
        "[directive]",
    ),
    "a file in a page": (
        _append("docs/tour.md", "\n```{literalinclude} ../pyproject.toml\n```\n"),
        "text",
        "[directive]",
    ),
    "a template in a page": (
        _append("docs/tour.md", f"\n{{{{ {RUN} }}}}\n"),
        "text",
        "substitution",
    ),
    "markup in a page": (_append("docs/tour.md", "\n<script>ran()</script>\n"), "text", "html"),
    "a page that is a notebook": (_write("docs/tour.md", NOTEBOOK), "text", "[front-matter]"),
    "a script in a drawing": (_write("docs/flow.svg", SVG), "text", "[drawing]"),
}  # fmt: skip
"""Words a stranger may change without a review: what is hostile in them is refused."""

CODE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a compiled catalog": (_write(CATALOG.replace(".po", ".mo"), "x"), "[stray]"),
    "the theme's words": (_write(CATALOG.replace("tour", "sphinx"), ""), "[stray]"),
    "our words": (_write(CATALOG.replace("tour", "polytab"), ""), "[stray]"),
    "a language nobody named": (_write(CATALOG.replace("zh_CN", "xx"), ""), "[stray]"),
    "a language of their own settings": (
        lambda root: (
            _write(CATALOG.replace("zh_CN", "nl_NL"), "")(root),
            _append("pyproject.toml", DUTCH)(root),
        ),
        "[stray]",
    ),
    "a link in the place of a catalog": (_link, "[stray]"),
    "a script among the catalogs": (_write("translations/conf.py", RUN), "[stray]"),
    "terms the lint obeys": (_write("translations/zh_CN/glossary.toml", ""), ""),
    "Sphinx's settings": (_append("conf.py", f"\n{RUN}\n"), ""),
    "the sessions": (_write("noxfile.py", RUN), ""),
    "a snippet": (_append("snippets/tour/torch.py", f"\n{RUN}\n"), ""),
    "pins": (_append("environments/torch.txt", "evil==1.0\n"), ""),
    "a workflow": (_write(".github/workflows/new.yml", "on: pull_request_target\n"), ""),
    "an executable page": (lambda root: (root / "docs/tour.md").chmod(0o755), ""),
    "a notebook as a page": (_write("docs/tour.ipynb", "{}"), ""),
    "a recording": (_recording, "[recording]"),
}  # fmt: skip
"""All else is code: it waits for a maintainer, and much of it is refused before that."""


@pytest.mark.parametrize("way", WORDS)
def test_hostile_words_are_refused_by_the_base_and_do_nothing_when_built(
    checkouts: Checkouts, capfd: pytest.CaptureFixture[str], way: str
) -> None:
    edit, kind, rule = WORDS[way]
    edit(checkouts.change)
    found, code, said = _judged(checkouts, capfd)
    assert (found, code) == (kind, 1)
    assert rule in said
    language = "zh" if kind == "translation" else "en"
    assert polytab(checkouts.change, "build", language, "--no-record") == 1
    settings = load_settings(checkouts.change)
    for built in settings.site.rglob("*.html"):
        text = built.read_text(encoding="utf-8")
        assert "<script>ran()" not in text
        assert "[tool.polytab]" not in text
    assert [path.name for path in settings.site.rglob("pyproject.toml")] == []
    assert _traces(checkouts.change) == []


def test_who_brings_recordings_is_told_to_leave_them_out(
    checkouts: Checkouts, capfd: pytest.CaptureFixture[str]
) -> None:
    place = ("changes", "origin/main", "--in", str(checkouts.change))
    put(checkouts.change / "docs/tour.md", "Every snippet runs.", "Every snippet really runs.")
    polytab(checkouts.base, *place)
    assert "note:" not in capfd.readouterr().err
    _recording(checkouts.change)
    polytab(checkouts.base, *place)
    assert "note: leave recordings out" in capfd.readouterr().err


@pytest.mark.parametrize("way", CODE)
def test_all_else_waits_for_a_maintainer_and_nothing_of_it_runs(
    checkouts: Checkouts, capfd: pytest.CaptureFixture[str], way: str
) -> None:
    edit, rule = CODE[way]
    edit(checkouts.change)
    kind, code, said = _judged(checkouts, capfd)
    assert kind == "code"
    assert (code, rule in said) == (int(bool(rule)), True), said
    assert _traces(checkouts.change) == []
