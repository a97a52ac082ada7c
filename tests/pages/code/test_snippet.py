"""`{snippet}` shows each framework's cell with what it printed, and says what it cannot show."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bs4 import Tag

from polytab.recordings.files import recording_path, save_recording
from tests.support.built import Built, build
from tests.support.handbook import job, record, recording, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

FILES = {
    "docs/index.md": "# A Tiny Handbook\n\n```{toctree}\n:glob:\n*\n```\n",
    "docs/tour.md": """\
# Tour

Prose before.

:::{snippet} plain
:::

:::{snippet} add
:::

::::::{tabs}
:::::{group-tab} PyTorch
Prose in a tab.

:::{snippet} twice
:::
:::::
:::::{group-tab} MXNet
:::{snippet} add
:::
:::::
::::::
""",
    "docs/wrong.md": """\
# Wrong

:::{snippet} nowhere
:::

::::::{tabs}
:::::{group-tab} PyTorch

:::{snippet} right
:::

:::{snippet} nowhere
:::
:::::
:::::{group-tab} MXNet

Prose.

:::{snippet} right
:::
:::::
:::::{group-tab} Tensor

:::{snippet} right
:::
:::::
::::::
""",
    "docs/stale.md": "# Stale\n\n:::{snippet} old\n:::\n\n:::{snippet} new\n:::\n",
    "docs/never.md": "# Never\n\n:::{snippet} run\n:::\n",
    "docs/damaged.md": "# Damaged\n\n:::{snippet} lost\n:::\n",
    "docs/broken.md": "# Broken\n\n:::{snippet} any\n:::\n\nProse after.\n",
    "docs/lonely.md": "# Lonely\n\n:::{snippet} any\n:::\n",
    "snippets/wrong/torch.py": "# %% right\n1\n",
    "snippets/wrong/mxnet.py": "# %% left\n1\n",
    "snippets/stale/python.py": '# %% old\nprint("old")\n',
    "snippets/damaged/python.py": '# %% lost\nprint("lost")\n',
}
EDITS = {
    "snippets/stale/python.py": '# %% old\nprint("edited")\n\n# %% new\nprint("new")\n',
    "snippets/never/python.py": '# %% run\nprint("never")\n',
    "recordings/damaged/python.cpu.ipynb": "{",
    "snippets/broken/torch.py": "# %% any\nx = (\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a handbook in which each page is right or wrong in its own way."""
    root = tmp_path_factory.mktemp("pages")
    settings = write_handbook(root)
    write(root, FILES)
    record(settings)
    write(root, EDITS)
    return root


@pytest.fixture(scope="module")
def site(root: Path) -> Built:
    return build(root)


def _boxes(page: Tag) -> list[Tag]:
    return page.select("div.snippet")


def _notices(built: Built, name: str) -> list[str]:
    return [notice.get_text().strip() for notice in built.page(name).select(".notice")]


# Where everything is right.


def test_plain_python_stands_without_tabs(site: Built) -> None:
    box = _boxes(site.page("tour"))[0]
    assert box.find_parent(class_="sphinx-tabs") is None
    assert 'print("plain")' in box.get_text()


def test_a_snippet_is_a_tab_for_each_framework_that_has_the_cell(site: Built) -> None:
    tabs = site.page("tour").select_one(".sphinx-tabs")
    assert tabs is not None
    assert [tab.get_text() for tab in tabs.select("[role=tab]")] == ["PyTorch", "MXNet"]
    panels = tabs.select("[role=tabpanel]")
    assert ['print("torch", x)' in panel.get_text() for panel in panels] == [True, False]
    assert ['print("mxnet", x)' in panel.get_text() for panel in panels] == [False, True]


def test_in_a_frameworks_tab_a_snippet_is_that_frameworks_cell_alone(site: Built) -> None:
    tabs = site.page("tour").select(".sphinx-tabs")[1]
    torch, mxnet = tabs.select("[role=tabpanel]")
    assert "Prose in a tab." in torch.get_text()
    [box] = _boxes(torch)
    assert "print(2 * x)" in box.get_text()
    [box] = _boxes(mxnet)
    assert 'print("mxnet", x)' in box.get_text()
    assert tabs.select(".sphinx-tabs") == []


def test_code_is_shown_as_its_author_wrote_it(site: Built) -> None:
    code = site.page("tour").select_one(".snippet-code pre")
    assert code is not None
    assert code.get_text() == 'print("plain")  # said once\n'


def test_output_follows_code_and_provenance_follows_output(site: Built) -> None:
    box = _boxes(site.page("tour"))[0]
    children = [child for child in box.children if isinstance(child, Tag)]
    names = [" ".join(child.get_attribute_list("class")) for child in children]
    assert "snippet-code" in names[0]
    assert "snippet-output" in names[1]
    assert "provenance" in names[2]
    assert children[1].get_text().strip() == "plain"


def test_one_line_says_what_made_the_output(site: Built) -> None:
    boxes = _boxes(site.page("tour"))
    said = [each.get_text().strip() for box in boxes for each in box.select(".provenance")]
    space = "\N{NO-BREAK SPACE}"  # no version and no date is broken at a line's end
    day = f"2{space}January{space}2026"
    assert said[0] == f"Python{space}7.4.0 · CPU: A Processor (2) · {day}"
    assert said[1] == f"PyTorch{space}7.4.0 · CPU: A Processor (2) · {day}"
    assert len(said) == len(boxes) == 5


def test_the_line_names_what_else_the_script_imports(handbook: Settings) -> None:
    record(handbook)
    made = recording(job(handbook))
    imported = (("numpy", "2.4.1"), ("polars", "1.30"))
    made = replace(made, provenance=replace(made.provenance, imported=imported))
    save_recording(handbook.recordings, made)
    box = build(handbook.root).page("tour").select(".provenance")[1]
    said = "PyTorch 7.4.0, numpy 2.4.1, polars 1.30 · CPU: A Processor (2)"
    assert box.get_text().strip().replace("\N{NO-BREAK SPACE}", " ").startswith(said)


def test_where_all_is_right_nothing_is_said(site: Built) -> None:
    assert site.complaints("tour") == {}
    assert _notices(site, "tour") == []


# What a page calls that is not there.


def test_what_cannot_be_resolved_is_told_with_its_line(site: Built) -> None:
    unknown = "no script of page `wrong` has a cell `nowhere`"
    assert site.complaints("wrong") == {
        3: unknown,
        12: unknown,
        19: "`right` stands in the tab of MXNet, whose script has no such cell",
        24: "the tab `Tensor` is no framework; known: Python, PyTorch, MXNet",
    }
    assert len(_boxes(site.page("wrong"))) == 1


def test_a_page_without_scripts_has_no_cells(site: Built) -> None:
    assert site.complaints("lonely") == {3: "no script of page `lonely` has a cell `any`"}


def test_a_script_that_cannot_be_read_is_told_and_the_page_goes_on(site: Built, root: Path) -> None:
    [(line, said)] = site.complaints("broken").items()
    assert line == 3
    assert said.startswith(f"{root / 'snippets' / 'broken' / 'torch.py'}:2: ")
    assert "Prose after." in site.page("broken").get_text()


# Outputs that are not what the code would print now.


def test_an_output_from_before_the_last_edit_is_marked(site: Built) -> None:
    old, new = _boxes(site.page("stale"))
    assert 'print("edited")' in old.get_text()
    output = old.select_one(".snippet-output")
    assert output is not None
    assert output.get_text().strip() == "old"
    assert _notices(site, "stale") == [
        "This output was recorded before the last edit.",
        "This snippet has not been run yet.",
    ]
    assert new.select(".snippet-output, .provenance") == []


def test_a_snippet_that_was_never_run_says_so(site: Built) -> None:
    assert _notices(site, "never") == ["This snippet has not been run yet."]
    assert 'print("never")' in site.page("never").get_text()
    assert site.complaints("never") == {}


def test_a_damaged_recording_is_told_and_never_shown(site: Built, root: Path) -> None:
    [(line, said)] = site.complaints("damaged").items()
    path = recording_path(root / "recordings", "damaged", "python", "cpu")
    assert line == 3
    assert said.startswith(f"{path}: this recording is damaged")
    assert _notices(site, "damaged") == ["This snippet has not been run yet."]


def test_a_strict_build_takes_nothing_stale(root: Path) -> None:
    strict = build(root, "dummy", polytab_strict=True)
    assert strict.complaints("tour") == {}
    assert strict.complaints("never") == {
        3: "never/python is stale: there is no recording yet; run `polytab record`"
    }
    said = "stale/python is stale: cell `old` changed, cell `new` is new; run `polytab record`"
    assert strict.complaints("stale") == {3: said, 6: said}


# Other builders.


def test_code_and_outputs_are_no_messages(root: Path) -> None:
    catalog = build(root, "gettext").text("tour.pot")
    messages = set(re.findall(r'^msgid "(.+)"$', catalog, re.MULTILINE))
    assert messages == {"Tour", "Prose before.", "Prose in a tab."}


def test_text_holds_code_and_output_of_every_framework(root: Path) -> None:
    text = build(root, "text").text("tour.txt")
    for shown in ('print("torch", x)', 'print("mxnet", x)', "plain", "twice", "A Processor"):
        assert shown in text


def test_dates_are_written_in_the_language_of_the_page(root: Path) -> None:
    text = build(root, "text", language="pt_BR").text("tour.txt")
    assert "2 de janeiro de 2026" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_pages_read_in_parallel_are_the_same(root: Path, site: Built, tmp_path: Path) -> None:
    assert len(site.read) > 5, "Sphinx reads in parallel from six pages on"
    copy = shutil.copytree(root, tmp_path / "copy", ignore=shutil.ignore_patterns("_build"))
    made = copy / "_build" / "html"
    command = [sys.executable, "-m", "sphinx", "-q", "-j", "2", "-c", str(copy)]
    ran = subprocess.run(
        [*command, str(copy / "docs"), str(made)], check=True, capture_output=True, text=True
    )
    assert "is not safe for parallel" not in ran.stderr
    assert ran.stderr.count("WARNING") == site.warnings.count("WARNING")
    for name in ("tour", "wrong", "stale"):
        assert (made / f"{name}.html").read_text(encoding="utf-8") == site.text(f"{name}.html")
