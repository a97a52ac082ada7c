"""Time first calls, each in a fresh process with empty caches."""

import ast
import os
import subprocess
import symtable
import sys
import tempfile
from pathlib import Path

# Where frameworks keep what they have compiled, besides the home folder.
CACHES = (
    "HOME", "TMPDIR", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR",
    "TRITON_CACHE_DIR", "CUDA_CACHE_PATH", "NUMBA_CACHE_DIR", "CCACHE_DIR",
)
# Without these, the script's own process may hold all memory of a GPU.
SHARED_GPU = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false",
              "TF_FORCE_GPU_ALLOW_GROWTH": "true"}

# The last lines of the process that makes the call.
CALL = """
import time as _time
_run = {prepare}
_start = _time.perf_counter()
_result = _run()
{wait}
_seconds = _time.perf_counter() - _start
with open({answer!r}, "w") as _file:
    _file.write(repr(_seconds))
"""

REPEATABLE = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef,
              ast.AsyncFunctionDef, ast.Assign, ast.AnnAssign)


def seconds_of_first_call(prepare, *arguments, case=None, wait=None,
                          caches=None, variables=None):
    """Return how long the first call takes of what `prepare` returns.

    `prepare(*arguments)` returns a function without arguments, or several
    under their names, of which `case` is one. It runs in a fresh process, to
    which the script's own imports, functions, classes and assignments go that
    it uses. What a script only calls, such as a seed or another setting, does
    not: such a call belongs into `prepare`. The call is over when
    `wait(result)` is.

    The caches of compilers are empty, unless `caches` names a folder: then
    one process finds there what another has left. `variables` are added to
    the environment of the process.
    """
    with tempfile.TemporaryDirectory() as private:
        folder = Path(caches or private).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        answer = Path(private, "seconds")
        call = f"{prepare.__name__}({', '.join(map(repr, arguments))})"
        if case is not None:
            call += f"[{case!r}]"
        program = [
            definitions_of(prepare),
            CALL.format(prepare=call, wait=_wait(wait), answer=str(answer))]
        if wait is not None:
            program.insert(0, definitions_of(wait, name="_wait"))
        script = Path(private, "first_call.py")
        script.write_text("\n".join(program), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, script], check=False, text=True,
            env={**os.environ, **SHARED_GPU, **_empty(folder),
                 **(variables or {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        if done.returncode or not answer.exists():
            said = "\n".join(done.stdout.strip().split("\n")[-12:])
            raise RuntimeError(f"the first call has failed:\n{said}")
        return float(answer.read_text())


def definitions_of(function, name=None):
    """Return the code of a script that defines a function, and no more.

    It is the last import, definition or assignment of each name that the
    function uses, and of those that these use. With a `name`, the function is
    bound to it as well.
    """
    home = sys.modules.get(function.__module__)
    if home is not sys.modules["__main__"]:
        own = f"from {function.__module__} import {function.__name__}"
        return f"{own} as {name}" if name else own
    if not function.__name__.isidentifier():
        raise ValueError("a lambda has no name: write a function with `def`")
    bound, kept = _bound(), {}
    waiting = [function.__name__]
    while waiting:
        needed = waiting.pop()
        if needed not in bound or bound[needed][0] in kept:
            continue
        place, statement = bound[needed]
        if not isinstance(statement, REPEATABLE):
            raise ValueError(
                f"`{function.__name__}` uses `{needed}`, which line"
                f" {statement.lineno} of its cell makes in passing:"
                f" make it inside `{function.__name__}`")
        code = ast.unparse(statement)
        kept[place] = code
        waiting += _used(code)
    lines = [kept[place] for place in sorted(kept)]
    if name:
        lines.append(f"{name} = {function.__name__}")
    return "\n".join(lines)


def _bound():
    """Return the last statement that binds each name of the script."""
    bound = {}
    for cell, source in enumerate(_sources()):
        try:
            statements = ast.parse(source).body
        except SyntaxError:  # a cell that was meant to fail
            continue
        for number, statement in enumerate(statements):
            for name in _names(statement):
                bound[name] = ((cell, number), statement)
    return bound


def _sources():
    """Return the cells that have run, or the text of the script."""
    main = sys.modules["__main__"]
    if hasattr(main, "In"):
        return list(main.In)
    return [Path(main.__file__).read_text(encoding="utf-8")]


def _names(statement):
    """Return the names that a statement binds."""
    top = symtable.symtable(ast.unparse(statement), "script", "exec")
    return [each.get_name() for each in top.get_symbols()
            if each.is_assigned() or each.is_imported()]


def _used(code):
    """Return the names of the script that some code uses, at any depth."""
    tables, names = [symtable.symtable(code, "script", "exec")], []
    while tables:
        table = tables.pop()
        tables += table.get_children()
        names += [each.get_name() for each in table.get_symbols()
                  if each.is_referenced()
                  and (each.is_global() or table.get_name() == "top")]
    return names


def _wait(wait):
    return "" if wait is None else "_wait(_result)"


def _empty(folder):
    """Return variables that lead every cache to one folder."""
    names = [*CACHES, *(name for name in ("JAX_COMPILATION_CACHE_DIR",)
                        if name in os.environ)]
    path = os.pathsep.join(each for each in sys.path if each)
    return {**dict.fromkeys(names, str(folder)), "PYTHONPATH": path}
