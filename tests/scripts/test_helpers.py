"""A script finds its helpers in the book, or else in the kit that comes with polytab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.runner.kernel.run import run
from polytab.scripts.canonical import canonical
from polytab.scripts.helpers import KIT, find_helpers, helper_path
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from tests.support.handbook import job, write, write_handbook
from tests.support.sealed import HERE

if TYPE_CHECKING:
    from pathlib import Path

KIT_MODULES = sorted(path.stem for path in KIT.glob("*.py"))
MEASURES = """\
# /// polytab
# measures = true
# ///

# %% where
import measure
print("kit" if hasattr(measure, "sweep") else "own")
"""


def names(script: Path, source: str) -> list[str]:
    return [helper.name for helper in find_helpers(script, source)]


def test_the_kit_is_found_where_the_book_has_no_such_module(tmp_path: Path) -> None:
    script = tmp_path / "tour" / "torch.py"
    found = find_helpers(script, "from measure import compare\n")
    [helper] = [each for each in found if each.name == "measure.py"]
    assert helper.content.decode() == canonical((KIT / "measure.py").read_text("utf-8")) + "\n"


@pytest.mark.parametrize("name", KIT_MODULES)
def test_a_module_of_the_kit_brings_those_that_it_imports(tmp_path: Path, name: str) -> None:
    source = f"import {name}\n"
    found = names(tmp_path / "tour" / "torch.py", source)
    assert f"{name}.py" in found
    assert set(found) <= {f"{each}.py" for each in KIT_MODULES}


def test_a_module_of_the_book_is_taken_in_place_of_the_kits(tmp_path: Path) -> None:
    script = tmp_path / "tour" / "torch.py"
    write(tmp_path, {"measure.py": "import own\n", "own.py": "x = 1\n"})
    assert names(script, "import peak\nimport repeated\n") == [
        *("measure.py", "own.py", "peak.py", "repeated.py")
    ]
    assert helper_path(script, "measure.py") == tmp_path / "measure.py"
    assert helper_path(script, "peak.py") == KIT / "peak.py"


def test_nothing_of_the_kit_is_a_helper_of_who_does_not_import_it(tmp_path: Path) -> None:
    assert names(tmp_path / "tour" / "torch.py", "import peaks\nfrom . import measure\n") == []


def test_the_kit_is_part_of_the_key(tmp_path: Path) -> None:
    settings = write_handbook(tmp_path)
    write(tmp_path, {"snippets/tour/torch.py": MEASURES})
    parts = dict(job(settings, "tour", "torch").key.parts)
    assert "helper measure.py" in parts
    write(tmp_path, {"snippets/measure.py": "sweep = None\n"})
    [changed] = load_scripts(load_settings(tmp_path), ["tour"], ["torch"])
    assert changed.helpers[0].content == b"sweep = None\n"


@pytest.mark.parametrize(("own", "printed"), [("", "kit\n"), ("x = 1\n", "own\n")])
def test_a_kernel_imports_what_the_key_names(tmp_path: Path, own: str, printed: str) -> None:
    files = {"snippets/tour/torch.py": MEASURES, **({"snippets/measure.py": own} if own else {})}
    settings = write_handbook(tmp_path)
    write(tmp_path, files)
    recording = run(job(settings, "tour", "torch"), HERE, lambda _: None)
    assert [output["text"] for output in recording.cells[0].outputs] == [printed]
