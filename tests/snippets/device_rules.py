"""Rules of the handbook's scripts: a device is chosen, and a clock is read when work is done.

They read the code and run nothing, so they hold what can be seen in it: that each tensor and each
network of PyTorch says its device, and that each comparison and each stopwatch has a line that
waits for what a GPU has queued. They cannot see whether it waits for the right result.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES_ITSELF = ("tensorflow", "mxnet", "paddle", "jax")
"""Frameworks that put what a script makes on a GPU where they find one."""

CHOICE = "'cuda' if torch.cuda.is_available() else 'cpu'"
"""How a script of PyTorch chooses its device, as `ast.unparse` writes it."""

CONSTRUCTORS = frozenset(
    {"arange", "empty", "eye", "full", "linspace", "logspace", "normal", "ones", "rand", "randint"}
    | {"randn", "randperm", "tensor", "zeros"}
)
"""Functions of `torch` that make a tensor of nothing; `from_numpy` is of the CPU by its name."""

CONTAINERS = frozenset({"Module", "ModuleList", "Parameter"})
"""Classes of `torch.nn` that hold no tensors of their own, or are no layer."""

WAITS = frozenset(
    {"asnumpy", "block_until_ready", "cpu", "float", "item", "numpy", "sync_devices"}
    | {"synchronize", "wait_to_read", "waitall"}
)
"""Functions and methods that return when a result, or everything, is there."""

COMPARE = ("compare", "sweep", "compare_processes")

OPTIONS = frozenset({"wait", "memory", "operations", "traffic"})
"""What `compare` and `sweep` take by name beside their cases."""


@dataclass(frozen=True)
class Program:
    """The code of a script, or of a program that a script writes, and what can be asked of it."""

    tree: ast.Module

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node above each node."""
        return {
            child: above for above in ast.walk(self.tree) for child in ast.iter_child_nodes(above)
        }

    @cached_property
    def defined(self) -> dict[str, list[ast.AST]]:
        """What each name stands for, wherever it is given: functions and assigned values."""
        found: dict[str, list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
        return found

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes around a node, the nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def waits(self, node: ast.AST, seen: frozenset[str] = frozenset()) -> bool:
        """Tell whether a line inside waits, or calls a function that does."""
        calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
        return any(_fetches(each) or self.is_waiting(each.func, seen) for each in calls)

    def is_waiting(self, function: ast.AST, seen: frozenset[str] = frozenset()) -> bool:
        """Tell whether a function returns when work is done, by its name or by what it calls."""
        if isinstance(function, (ast.FunctionDef, ast.Lambda)):
            return self.waits(function, seen)
        if _last_name(function) in WAITS:
            return True
        if not isinstance(function, ast.Name) or function.id in seen:
            return False
        meanings = self.defined.get(function.id, ())
        return any(self.is_waiting(each, seen | {function.id}) for each in meanings)


def findings(framework: str, code: str) -> list[str]:
    """Return what a script makes without a device, or times without waiting, one line each.

    `code` is the canonical code of all its cells. Programs that it holds as text are read, too.
    """
    found: list[str] = []
    for tree in _programs(ast.parse(code)):
        program = Program(tree)
        if framework not in PLACES_ITSELF:
            found += [f"no device: {each}" for each in _without_device(program)]
            found += [f"another choice: {each}" for each in _other_choices(program)]
        found += [f"never waits: {each}" for each in _without_wait(program)]
    return found


def _programs(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield a program, and the programs that it holds as text."""
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            try:
                inner = ast.parse(node.value)
            except SyntaxError:
                continue  # a docstring
            if any(isinstance(each, (ast.Import, ast.ImportFrom)) for each in inner.body):
                yield inner


def _without_device(program: Program) -> Iterator[str]:
    """Yield the tensors and networks of PyTorch that are made without a device."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Call):
            named = any(each.arg == "device" for each in node.keywords)
            makes = _makes_tensor(node) or _makes_network(program, node)
            if makes and not named and not _is_moved(program, node):
                yield ast.unparse(node)


def _makes_tensor(node: ast.Call) -> bool:
    return ast.unparse(node.func) in {f"torch.{name}" for name in CONSTRUCTORS}


def _makes_network(program: Program, node: ast.Call) -> bool:
    """Tell whether a call makes layers that are no part of a larger network, moved as a whole."""
    return _makes_layers(program, node) and not any(
        isinstance(each, ast.ClassDef) or _makes_layers(program, each)
        for each in program.above(node)
    )


def _makes_layers(program: Program, node: ast.AST) -> bool:
    """Tell whether a call makes a layer of `nn`, or an object of a class that has some."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) in ("nn", "torch.nn"):
        return node.func.attr[0].isupper() and node.func.attr not in CONTAINERS
    return any(
        isinstance(each, ast.ClassDef)
        and each.name == _last_name(node.func)
        and any(_makes_layers(program, inner) for inner in ast.walk(each))
        for each in program.tree.body
    )


def _is_moved(program: Program, node: ast.Call) -> bool:
    """Tell whether `.to(device)` stands right behind a call."""
    above = program.parents[node]
    return isinstance(above, ast.Attribute) and above.attr == "to"


def _other_choices(program: Program) -> Iterator[str]:
    """Yield what `device` is set to, where it is not set as everywhere."""
    for meaning in program.defined.get("device", []):
        if ast.unparse(meaning) != CHOICE:
            yield ast.unparse(meaning)


def _without_wait(program: Program) -> Iterator[str]:
    """Yield the comparisons and the stopwatches that do not wait for the work to be done."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Call):
            name = _last_name(node.func)
            if name in COMPARE and not _is_waited_for(program, node):
                yield f"{name}({ast.unparse(node.args[0])})"
    for timed in _timed(program):
        if not any(map(program.waits, timed)):
            yield ast.unparse(timed[0]).splitlines()[0]


def _timed(program: Program) -> Iterator[list[ast.stmt]]:
    """Yield the statements around the readings of a clock: a function, or some of the top level.

    Of the top level it is one statement that reads the clock twice, or all from one that reads it
    once to the next that does.
    """
    reads: dict[ast.stmt, int] = {}
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == "perf_counter":
            around = [each for each in program.above(node) if isinstance(each, ast.stmt)]
            functions = (each for each in around if isinstance(each, ast.FunctionDef))
            scope = next(functions, around[-1])
            reads[scope] = reads.get(scope, 0) + 1
    yield from ([scope] for scope, times in reads.items() if times > 1)
    body = program.tree.body
    once = [number for number, each in enumerate(body) if reads.get(each) == 1]
    for first, last in zip(once[::2], once[1::2], strict=False):
        yield body[first : last + 1]


def _is_waited_for(program: Program, node: ast.Call) -> bool:
    """Tell whether a comparison is told how to wait, or each of its cases waits by itself."""
    for option in node.keywords:
        if option.arg == "wait":
            return program.is_waiting(option.value)
    if _last_name(node.func) == "compare_processes":
        cases = [each.elts[0] for each in ast.walk(node) if isinstance(each, ast.Tuple)]
    else:
        cases = [each.value for each in node.keywords if each.arg not in OPTIONS]
    return bool(cases) and all(map(program.is_waiting, cases))


def _fetches(node: ast.Call) -> bool:
    """Tell whether a call runs a static program of PaddlePaddle, which returns NumPy's arrays."""
    return any(each.arg == "fetch_list" for each in node.keywords)


def _last_name(node: ast.AST) -> str:
    """Return the last part of a name, `c` of `a.b.c`, or nothing where there is none."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
