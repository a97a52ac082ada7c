"""The engine's own packages: pinned in one file, the hashes of their files in another."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.support.noxfile import load_noxfile

ROOT = Path(__file__).parent.parent
SESSIONS = load_noxfile()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _pins(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line.removesuffix("\\").strip() for line in lines if re.match(r"\w", line)]


def test_both_files_pin_the_same() -> None:
    assert _pins(SESSIONS.PINS) == _pins(SESSIONS.HASHES)


def test_what_builds_the_package_is_pinned_with_the_others() -> None:
    built_by = set(PROJECT["build-system"]["requires"])
    assert built_by < set(PROJECT["project"]["optional-dependencies"]["build"])
    assert [pin for pin in _pins(SESSIONS.PINS) if pin.startswith("hatchling==")]


def test_every_package_that_is_installed_has_hashes() -> None:
    pins = [pin.partition(" ")[0].split("==") for pin in _pins(SESSIONS.PINS)]
    lines = SESSIONS.with_hashes([{"name": name, "version": version} for name, version in pins])
    requirements = re.findall(r"^\w\S*==\S+ \\$", lines, re.MULTILINE)
    assert len(requirements) == len(pins)
    assert lines.count("--hash=sha256:") == len(
        re.findall(r"--hash=sha256:[0-9a-f]{64}\b", (ROOT / SESSIONS.HASHES).read_text("utf-8"))
    )


def test_what_is_not_pinned_is_not_installed() -> None:
    with pytest.raises(KeyError):
        SESSIONS.with_hashes([{"name": "hatchling", "version": "0"}])
