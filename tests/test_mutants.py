"""A module that is changed in one place fails its tests, as a rule: else they hold too little."""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "polytab"
ROOMS = ("interface", "recordings", "scripts", "translations")
"""Rooms whose tests need neither Sphinx nor a kernel, so that a mutant takes seconds."""

AT_LEAST = 12
"""Mutants of a run; fewer would say nothing."""

KILLED = 0.5
"""The share that must be found; some mutants change nothing that anybody could notice."""

FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def mirrored() -> list[tuple[Path, Path]]:
    """List the modules of these rooms, each with the tests that mirror it."""
    modules = (path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py")))
    pairs = ((path, path.relative_to(SOURCE)) for path in modules)
    tests = ((path, ROOT / "tests" / name.with_name(f"test_{name.name}")) for path, name in pairs)
    return [(path, test) for path, test in tests if test.is_file()]


def places(tree: ast.AST) -> list[ast.AST]:
    """List what can be changed in the bodies of functions; types and words are no behaviour."""
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
    inner = (node for function in functions for line in function.body for node in ast.walk(line))
    kinds = (ast.Compare, ast.BoolOp)
    return list(
        dict.fromkeys(each for each in inner if isinstance(each, kinds) or _is_number(each))
    )


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def mutate(node: ast.AST) -> None:
    """Change one thing: a comparison, a conjunction or a number."""
    if isinstance(node, ast.Compare):
        node.ops[0] = FLIPPED[type(node.ops[0])]()  # type: ignore[call-overload]
    elif isinstance(node, ast.BoolOp):
        node.op = FLIPPED[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.Constant):
        node.value = node.value + 1  # type: ignore[operator]


def notice(copy: Path, tests: Path) -> bool:
    """Tell whether tests fail with a copy of the sources."""
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [*command, str(tests)], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    return done.returncode != 0


def lives(seed: int, copy: Path) -> str | None:
    """Have a mutant tested in a copy of the sources; return what it is if nothing has noticed."""
    source = random.Random(seed)  # noqa: S311  # must repeat
    while True:
        module, test = source.choice(mirrored())
        tree = ast.parse(module.read_text(encoding="utf-8"))
        if found := places(tree):
            break
    node = source.choice(found)
    before = ast.unparse(node)
    mutate(node)
    place = copy / module.relative_to(SOURCE.parent)
    place.write_text(ast.unparse(tree), encoding="utf-8")
    noticed = notice(copy, test) or notice(copy, test.parent)  # what is nearest is quickest
    shutil.copy(module, place)
    line = getattr(node, "lineno", 0)
    name = module.relative_to(ROOT)
    return None if noticed else f"{name}:{line}: {before} -> {ast.unparse(node)}"


@pytest.mark.soak
def test_most_mutants_are_found(tmp_path: Path, seeds: Iterator[int]) -> None:
    """It takes long because each mutant runs the tests of its room; `-rP` lists what lived."""
    shutil.copytree(SOURCE, tmp_path / "polytab")
    numbers = list(islice(seeds, 1))
    tried = [lives(seed, tmp_path) for seed in range(numbers[0], numbers[0] + AT_LEAST)]
    tried += [lives(seed + AT_LEAST, tmp_path) for seed in seeds]
    lived = [each for each in tried if each]
    sys.stdout.write("\n".join([f"{len(tried)} mutants, {len(lived)} lived", *lived]))
    assert len(lived) <= (1 - KILLED) * len(tried), lived
