"""Pages and scripts agree: each call has a cell, each cell is shown, each page has a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.pages.markdown.missing_cells import check_cells
from tests.support.handbook import write

if TYPE_CHECKING:
    from polytab.settings import Settings

ALL_SHOWN = """\
# Tour

:::{snippet} plain
:::

::::::{tabs}
:::::{group-tab} PyTorch
   ````{snippet}   twice
   ````
:::{snippet} add
:::
:::::
::::::
"""


@pytest.fixture
def agreeing(handbook: Settings) -> Settings:
    write(handbook.root, {"docs/tour.md": ALL_SHOWN})
    return handbook


def _found(settings: Settings) -> list[tuple[str, int | None, str, str]]:
    return [
        (each.file.relative_to(settings.root).as_posix(), each.line, each.rule, each.message)
        for each in check_cells(settings)
    ]


def test_where_pages_and_scripts_agree_nothing_is_found(agreeing: Settings) -> None:
    assert _found(agreeing) == []


def test_a_call_of_a_cell_that_is_not_there_is_found(agreeing: Settings) -> None:
    text = ALL_SHOWN.replace("{snippet} plain", "{snippet} plane")
    write(agreeing.root, {"docs/tour.md": text})
    assert _found(agreeing) == [
        ("docs/tour.md", 3, "unknown-cell", "no script of page `tour` has a cell `plane`"),
        ("snippets/tour/python.py", 1, "unused-cell", "the page shows `plain` nowhere"),
    ]


def test_a_call_on_a_page_without_scripts_is_found(agreeing: Settings) -> None:
    write(agreeing.root, {"docs/index.md": "# Index\n\n```{snippet} plain\n```\n"})
    assert _found(agreeing) == [
        ("docs/index.md", 3, "unknown-cell", "no script of page `index` has a cell `plain`")
    ]


def test_a_cell_that_no_page_shows_is_found_in_each_script_that_has_it(agreeing: Settings) -> None:
    write(agreeing.root, {"docs/tour.md": ALL_SHOWN.replace(":::{snippet} add\n:::\n", "")})
    message = "the page shows `add` nowhere"
    assert _found(agreeing) == [
        ("snippets/tour/torch.py", 1, "unused-cell", message),
        ("snippets/tour/mxnet.py", 1, "unused-cell", message),
    ]


def test_scripts_without_a_page_are_found(agreeing: Settings) -> None:
    (agreeing.docs / "end.md").unlink()
    write(agreeing.root, {"snippets/empty/notes.txt": ""})
    assert _found(agreeing) == [
        ("snippets/end", None, "page", "there is no docs/end.md"),
    ]


def test_a_page_that_is_not_utf_8_is_found(agreeing: Settings) -> None:
    (agreeing.docs / "end.md").write_bytes(b"# End \xff\n")
    [(file, line, rule, _)] = _found(agreeing)
    assert (file, line, rule) == ("docs/end.md", None, "utf-8")


# A framework that lacks a cell

OUTSIDE_TABS = """\
# Tour

:::{snippet} plain
:::

:::{snippet} add
:::

:::{snippet} twice
:::
"""


def test_a_framework_of_the_page_that_lacks_a_cell_is_found(agreeing: Settings) -> None:
    write(agreeing.root, {"docs/tour.md": OUTSIDE_TABS})
    message = "snippets/tour/mxnet.py has no cell `twice`: add it, or write `:without: mxnet` below"
    assert _found(agreeing) == [("docs/tour.md", 9, "missing-cell", message)]


@pytest.mark.parametrize("names", ["mxnet", " mxnet ,", "mxnet, mxnet"])
def test_unless_the_page_says_so(agreeing: Settings, names: str) -> None:
    text = OUTSIDE_TABS.replace("{snippet} twice\n", f"{{snippet}} twice\n:without: {names}\n")
    write(agreeing.root, {"docs/tour.md": text})
    assert _found(agreeing) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("torch, mxnet", "`torch`, whose script has the cell: take the name out"),
        ("mxnet, jax", "`jax`, which is no framework; known: python, torch, mxnet"),
    ],
)
def test_what_the_page_says_must_be_true(agreeing: Settings, name: str, said: str) -> None:
    text = OUTSIDE_TABS.replace("{snippet} twice\n", f"{{snippet}} twice\n:without: {name}\n")
    write(agreeing.root, {"docs/tour.md": text})
    assert _found(agreeing) == [("docs/tour.md", 9, "without", f"`:without:` names {said}")]


@pytest.mark.parametrize(
    ("tab", "rule", "said"),
    [
        ("MXNet", "missing-cell", "MXNet has no cell `twice`: take it out of the tab"),
        ("JAX", "tab", "the tab `JAX` is no framework; known: Python, PyTorch, MXNet"),
    ],
)
def test_a_tab_shows_cells_of_its_framework(
    agreeing: Settings, tab: str, rule: str, said: str
) -> None:
    write(agreeing.root, {"docs/tour.md": ALL_SHOWN.replace("PyTorch", tab)})
    found = [each for each in _found(agreeing) if "twice" in each[3] or rule == "tab"]
    assert found[0] == ("docs/tour.md", 8, rule, said)


def test_a_word_that_only_looks_like_a_call_is_none(agreeing: Settings) -> None:
    write(agreeing.root, {"docs/tour.md": f"{ALL_SHOWN}\nWrite `{{snippet}} nowhere` so.\n"})
    assert _found(agreeing) == []


@pytest.mark.parametrize("language", ["", "md", "{code-block} md"])
def test_a_call_that_is_shown_as_code_is_none(agreeing: Settings, language: str) -> None:
    shown = f"\n````{language}\n```{{snippet}} nowhere\n```\n````\n"
    write(agreeing.root, {"docs/tour.md": f"{ALL_SHOWN}{shown}"})
    assert _found(agreeing) == []
