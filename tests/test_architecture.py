"""The drawing of the house in docs/contributing/architecture.md is the house that stands there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "polytab"
PAGE = (ROOT / "docs" / "contributing" / "architecture.md").read_text(encoding="utf-8")
DRAWING, LAYERS = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)[:2]
MOST = 14
"""Modules in a folder: about a dozen, as many as can be kept in mind."""


def drawn() -> list[str]:
    """Return the folders of the drawing, each with those that it lies in."""
    found: list[str] = []
    above: list[str] = []
    for line in DRAWING.splitlines()[1:]:
        match = re.match(r"(?P<indent> +)(?P<name>\w+)/ ", line)
        if match:
            depth = len(match["indent"]) // 2
            above = [*above[: depth - 1], match["name"]]
            found.append("/".join(above))
    return found


def folders() -> list[str]:
    """Return the folders that hold Python modules."""
    inits = HOUSE.glob("**/__init__.py")
    return sorted(path.parent.relative_to(HOUSE).as_posix() for path in inits)[1:]


def test_every_folder_is_drawn_and_no_other() -> None:
    assert sorted(drawn()) == folders()
    assert len(drawn()) == len(set(drawn()))


def test_the_ground_floor_is_what_the_drawing_names() -> None:
    ground = DRAWING.splitlines()[1].split("  ")[1].split()
    modules = {path.stem for path in HOUSE.glob("*.py")} - {"__init__", "__main__"}
    assert modules == set(ground)


def test_the_layers_are_those_that_the_contract_holds() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = document["tool"]["importlinter"]["contracts"]
    [held] = [each["layers"] for each in contracts if each["type"] == "layers"]
    assert LAYERS.split("\n")[:-1] == [layer.replace("polytab.", "") for layer in held]


def test_every_room_has_a_floor() -> None:
    floors = set(re.findall(r"\w+", LAYERS))
    modules = {path.stem for path in HOUSE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert modules - {"__init__", "__main__", "__pycache__"} == floors


def test_a_folder_can_be_kept_in_mind() -> None:
    sizes = {name: len(list((HOUSE / name).glob("[!_]*.py"))) for name in folders()}
    assert {name: size for name, size in sizes.items() if size > MOST} == {}


def test_a_walk_has_at_most_eight_stops_and_enters_no_room_twice() -> None:
    walks = PAGE.partition("## Three walks")[2].partition("## ")[0].split("| stop |")[1:]
    assert len(walks) == 3
    for walk in walks:
        stops = re.findall(r"^\| (\d) `([\w/]+)/` \|", walk, re.MULTILINE)
        rooms = [room for _number, room in stops]
        assert [int(number) for number, _room in stops] == list(range(1, len(stops) + 1))
        assert 2 < len(stops) <= 8
        assert len(set(rooms)) == len(rooms)
        assert set(rooms) <= set(folders())


def test_every_guard_that_is_named_is_there() -> None:
    named = set(re.findall(r"`(tests/[\w/.]+)`", PAGE))
    assert {name for name in named if not (ROOT / name).exists()} == set()
