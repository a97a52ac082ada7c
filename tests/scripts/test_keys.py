"""Keys: what changes one and what does not; and that every Python computes the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from polytab.model import Environment
from polytab.scripts.keys import make_key
from polytab.scripts.load import load_scripts, read_script
from polytab.scripts.pins import read_environment
from tests.support.handbook import FILES, write
from tests.support.programs import Program, programs

if TYPE_CHECKING:
    from polytab.model import Script
    from polytab.settings import Settings

ROOT = Path(__file__).parents[2]
SUPPORTED = range(11, 15)

WHOLE = """\
# /// polytab
# timeout = 60
# gpus = 1
# data = ["a.csv"]
# ///

# %% first
import shapes
x = 1  # so

# %% second raises="NameError"
print(y)

# %% third varies="sizes" why="they do"
print(x)
"""
HELPERS = {"shapes.py": "import sizes\n", "sizes.py": "width = 2  # so\n"}


def _written(handbook: Settings, text: str) -> Script:
    write(handbook.snippets, {"tour/torch.py": text})
    return read_script(handbook.snippets / "tour" / "torch.py")


def _key(handbook: Settings, text: str = WHOLE, **files: str) -> str:
    named = {name.replace("_", "."): content for name, content in files.items()}
    write(handbook.snippets, {**HELPERS, "tour/a.csv": "1,2\n", **named})
    script = _written(handbook, text)
    return make_key(script, read_environment(handbook, "torch")).digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x = 1  # so", "x = 1  # otherwise"),
        ("x = 1  # so", "x = 1"),
        ("x = 1  # so", "\n\n# !rm x\nx = 1   \n# cat y\n"),
        ("# /// polytab", "# More to say.\n\n# /// polytab"),
        ("# timeout = 60\n", ""),
        ("# timeout = 60", "# timeout = 90  # longer"),
        ("# gpus = 1\n", "# gpus = 1\n#\n# measures = false\n"),
        ("# gpus = 1\n", "# gpus = 1\n# network = false\n"),
        ("# %% second", "# %%   second  "),
        ("\n", "\r\n"),
    ],
)
def test_a_key_does_not_change_with(handbook: Settings, old: str, new: str) -> None:
    assert old in WHOLE
    assert _key(handbook, WHOLE.replace(old, new)) == _key(handbook)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "x=1"),
        ("first", "zeroth"),
        ('raises="NameError"', ""),
        ('raises="NameError"', 'raises="TypeError"'),
        (' varies="sizes" why="they do"', ""),
        ('varies="sizes"', 'varies="some sizes"'),
        ('why="they do"', 'why="they must"'),
        ("# gpus = 1", "# gpus = 2"),
        ("# gpus = 1", "# gpus = 1\n# network = true"),
        ('# data = ["a.csv"]\n', ""),
        ("import shapes\n", ""),
        ("print(x)\n", "print(x)\n\n# %% fourth\nprint(x)\n"),
        ("x = 1  # so\n", "\n# %% half\nx = 1\n"),
    ],
)
def test_a_key_changes_with(handbook: Settings, old: str, new: str) -> None:
    assert old in WHOLE
    assert _key(handbook, WHOLE.replace(old, new)) != _key(handbook)


def test_a_key_changes_with_the_order_of_the_cells(handbook: Settings) -> None:
    first, second = "# %% a\nx = 1\n", "# %% b\ny = 2\n"
    assert _key(handbook, first + second) != _key(handbook, second + first)


def test_a_key_changes_with_the_code_of_a_helper_and_not_with_its_comments(
    handbook: Settings,
) -> None:
    key = _key(handbook)
    assert _key(handbook, sizes_py="# !rm x\n\nwidth = 2\n") == key
    assert _key(handbook, sizes_py="width = 3\n") != key
    assert _key(handbook, unused_py="width = 3\n") == key


def test_a_key_changes_with_every_byte_of_data(handbook: Settings) -> None:
    key = _key(handbook)
    write(handbook.snippets, {"tour/a.csv": "1,2\r\n"})
    script = read_script(handbook.snippets / "tour" / "torch.py")
    assert make_key(script, read_environment(handbook, "torch")).digest != key


@pytest.mark.parametrize(
    "changed", [{"device": "cuda"}, {"python": "3.12"}, {"pins": ("torch==2.0.0",)}]
)
def test_a_key_changes_with_the_environment(handbook: Settings, changed: dict[str, Any]) -> None:
    [script] = load_scripts(handbook, ["tour"], ["torch"])
    environment = read_environment(handbook, "torch")
    other = replace(environment, **changed)
    assert make_key(script, other).digest != make_key(script, environment).digest


def test_the_same_script_in_another_place_has_another_key(handbook: Settings) -> None:
    [script] = load_scripts(handbook, ["tour"], ["torch"])
    environment = read_environment(handbook, "torch")
    for other in (replace(script, page="end"), replace(script, framework="mxnet")):
        assert make_key(other, environment).digest != make_key(script, environment).digest


def test_prose_changes_no_key(handbook: Settings) -> None:
    key = _key(handbook)
    write(handbook.docs, {"tour.md": "# Another tour\n"})
    assert _key(handbook) == key


ENVIRONMENT = Environment("torch", "cpu", None, "3.11", ())  # type: ignore[arg-type]  # never read


@given(programs(), programs())
def test_a_key_is_that_of_the_code_alone(
    tmp_path_factory: pytest.TempPathFactory, one: Program, other: Program
) -> None:
    page = tmp_path_factory.getbasetemp() / "tour"
    page.mkdir(exist_ok=True)

    def key(*codes: str) -> str:
        cells = [f"# %% cell-{number}\n{code}\n" for number, code in enumerate(codes)]
        write(page, {"torch.py": "".join(cells)})
        return make_key(read_script(page / "torch.py"), ENVIRONMENT).digest

    plain = key(one.plain, other.plain)
    assert key(one.commented, other.commented) == plain
    assert (key(other.plain, one.plain) == plain) is (one.plain == other.plain)


# Every Python: a small corpus, its digests written down. The pure rooms import only the standard
# library, so each interpreter computes the keys without any installed package. A digest that
# changes here makes every recording of every handbook stale.

CORPUS = {
    "pyproject.toml": FILES["pyproject.toml"],
    "environments/python.txt": "# python: 3.11\nipykernel==7.4.0\n",
    "environments/torch.txt": "# So.\n# python: 3.12\nNumPy==2.4.6\ntorch==2.13.0",
    "environments/mxnet.txt": "# python: 3.11\nnumpy==1.23.5\nmxnet==1.9.1\n",
    "snippets/measure.py": "import timing  # one helper imports another\n",
    "snippets/timing.py": "def time():\n    # soon\n\n    return 0\n",
    "snippets/strings/python.py": """\
# -*- coding: latin-1 -*-
# %% f-strings
name = "é"
print(f"{name!r:>{8}} # {'nested'} {{}}")  # a comment with é 🙂
print(f'''{name}

# no comment
{name:
}
''')  # a comment
print(rf"\\d{name}", fr'\\#', "\\d")

# %% lines
text = \"\"\"one\\

\t# no comment\x20\x20
\"\"\"
total = 1 + \\
    2  # three
dangling = 1 \\
# nothing
done = 1 if 1else 2
\f
def f(a, /, *, b): return a;  # so
""",
    "snippets/strings/torch.py": """\
# /// polytab
# gpus = 2
# timeout = 30
# measures = true
# data = ["b.csv", "a.csv"]
# ///

# %% works varies="sizes" why="they do"
import measure

# %% fails raises="NameError"
print(nothing)  # !rm x
""",
    "snippets/strings/mxnet.py": "\ufeff# %% crlf\r\nx = '''\r\n'''\r\nprint(x)  # cat y\r\n",
    "snippets/strings/a.csv": "1,2\r\n",
    "snippets/strings/b.csv": "",
}
DIGESTS = {
    "strings/python": "ab30525c303983dc11413f7749bf7d15747095bd70760119ea8892b220a39af7",
    "strings/torch": "73746c3e9753874ebe5b1812d055d73d49f64acf02517c8a39a5761246a15470",
    "strings/mxnet": "d299c61d4e5fa41566e153f086643f2e6b6403a660737913962904c22690ef5a",
}

KEYS = """
import json, sys
from pathlib import Path
from polytab.recordings.compare import compare
from polytab.recordings.normalise import normalise_outputs
from polytab.recordings.plan import plan
from polytab.settings import load_settings
jobs = plan(load_settings(Path(sys.argv[1])))
print(json.dumps({job.name: job.key.digest for job in jobs}))
"""


def _interpreters() -> dict[str, str]:
    """Find an interpreter of every supported version that this machine has."""
    names = [shutil.which(f"python3.{minor}") for minor in SUPPORTED]
    installed = Path.home().glob(".pyenv/versions/3.*/bin/python")
    found: dict[str, str] = {}
    for each in (sys.executable, *filter(None, names), *map(str, installed)):
        code = "import sys; print('{}.{}.{}'.format(*sys.version_info))"
        said = subprocess.run([each, "-c", code], check=False, capture_output=True, text=True)
        if said.returncode == 0 and int(said.stdout.split(".")[1]) in SUPPORTED:
            found.setdefault(said.stdout.strip(), each)
    return found


def _keys(interpreter: str, root: Path) -> object:
    made = subprocess.run(
        [interpreter, "-S", "-W", "error", "-c", KEYS, str(root)],  # -S: no installed package
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert made.stderr == ""
    return json.loads(made.stdout)


def test_every_python_computes_the_keys_that_are_written_down(tmp_path: Path) -> None:
    write(tmp_path, CORPUS)
    interpreters = _interpreters()
    assert sys.executable in interpreters.values()
    made = {version: _keys(each, tmp_path) for version, each in interpreters.items()}
    assert made == dict.fromkeys(interpreters, DIGESTS)


def test_every_python_computes_the_same_keys_for_this_handbook() -> None:
    made = [_keys(each, ROOT) for each in _interpreters().values()]
    assert made == [made[0]] * len(made)
