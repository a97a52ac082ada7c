"""Known weaknesses: told where somebody knows, never called well where nobody was asked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.noxfile import load_noxfile

ROOT = Path(__file__).parent.parent
GOOD = {"name": "good", "version": "1.0", "vulns": []}
WEAK = {"name": "weak", "version": "2.0", "vulns": [{"id": "CVE-1"}, {"id": "CVE-2"}]}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}
WRITE = "import json, sys; open(sys.argv[sys.argv.index('-o') + 1], 'w').write(json.dumps({}))"


class Session:
    """What a session of nox offers here: a folder of programs, a scratch folder, and words."""

    def __init__(self, folder: Path, program: str) -> None:
        self.bin = str(folder)
        self.said: list[str] = []
        script = folder / "pip-audit"
        script.write_text(f"#!{sys.executable}\n{program}\n")
        script.chmod(0o755)

    def create_tmp(self) -> str:
        return self.bin

    def log(self, text: str) -> None:
        self.said.append(text)

    def warn(self, text: str) -> None:
        self.said.append(text)


@pytest.fixture(scope="module")
def noxfile() -> Any:  # noqa: ANN401  # a module nobody imports
    return load_noxfile()


NOT_CHECKED = ["known weaknesses: not checked, no advisory source can be reached"]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(1)", NOT_CHECKED),
        (WRITE.format("{'dependencies': []}"), NOT_CHECKED),
        (WRITE.format(f"{{'dependencies': [{UNKNOWN}]}}"), NOT_CHECKED),
        (
            WRITE.format(f"{{'dependencies': [{GOOD}, {UNKNOWN}]}}"),
            ["known weaknesses: 1 packages checked, 0 have some"],
        ),
        (
            WRITE.format(f"{{'dependencies': [{GOOD}, {WEAK}]}}") + "; raise SystemExit(1)",
            [
                "weak 2.0 has known weaknesses: CVE-1, CVE-2",
                "known weaknesses: 2 packages checked, 1 have some",
            ],
        ),
    ],
)
def test_what_is_known_is_told_and_what_is_not_known_is_not_called_well(
    noxfile: Any,  # noqa: ANN401
    tmp_path: Path,
    program: str,
    said: list[str],
) -> None:
    session = Session(tmp_path, program)
    noxfile.audit(session)
    assert session.said == said


def test_who_does_not_answer_is_not_waited_for(
    noxfile: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(noxfile, "PATIENCE", 0.5)
    session = Session(tmp_path, "import time; time.sleep(600)")
    noxfile.audit(session)
    assert session.said == NOT_CHECKED
