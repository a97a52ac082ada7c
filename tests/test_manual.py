"""The manuals agree: nox sessions, the engine's verbs, and what README.md says of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from polytab import cli

ROOT = Path(__file__).parent.parent
NOXFILE = (ROOT / "noxfile.py").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", ".ci/run", "noxfile.py")),
    *sorted((ROOT / "docs" / "contributing").rglob("*.md")),
    *sorted((ROOT / ".github").rglob("*.yml")),
]


def _sessions() -> dict[str, ast.FunctionDef]:
    functions = [each for each in ast.parse(NOXFILE).body if isinstance(each, ast.FunctionDef)]
    return {
        each.name: each
        for each in functions
        if any(ast.unparse(wrapper).startswith("nox.session") for wrapper in each.decorator_list)
    }


def _verbs(capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    return set(re.findall(r"^ {4}([a-z]+)(?: {2,}\S|$)", capsys.readouterr().out, re.MULTILINE))


def _named(pattern: str) -> dict[str, set[str]]:
    """Return the words that follow a pattern in what people read, with where they stand."""
    found: dict[str, set[str]] = {}
    for path in TEXTS:
        if path.is_file():
            for match in re.finditer(pattern, path.read_text(encoding="utf-8")):
                for word in match[1].split():
                    found.setdefault(word, set()).add(path.relative_to(ROOT).as_posix())
    return found


def test_every_session_has_a_line_that_says_what_it_does() -> None:
    sessions = _sessions()
    assert {"build", "tests", "record", "verify", "check", "live"} <= set(sessions)
    for name, session in sessions.items():
        said = ast.get_docstring(session)
        assert said, name
        assert len(said.splitlines()) == 1, name
        assert said.endswith("."), name


def test_every_session_is_named_in_the_readme() -> None:
    named = set(re.findall(r"`?nox -s ([a-z]+)", README))
    assert set(_sessions()) <= named


def test_every_session_that_a_text_names_is_there() -> None:
    named = _named(r"nox -s ((?:[a-z]+ )*[a-z]+)(?=[`\s;&]|$)")
    wrong = {word: where for word, where in named.items() if word not in _sessions()}
    assert named
    assert wrong == {}


def test_every_verb_that_a_text_or_a_session_names_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = _named(r'(?:`polytab |"polytab", ")([a-z]+)')
    verbs = _verbs(capsys)
    wrong = {word: where for word, where in named.items() if word not in verbs}
    assert {"record", "site"} <= verbs
    assert named
    assert wrong == {}


def test_the_shortest_way_is_the_one_the_readme_begins_with() -> None:
    [block, *_] = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    assert "pip install nox && nox -s build" in block
    assert "nox -s tests" in block


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target
