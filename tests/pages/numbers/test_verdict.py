"""A statement about speed says what the recordings say, of each framework and in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.numbers_site import (
    COMPILED_WINS,
    EAGER_WINS,
    EVEN,
    NumbersSite,
    complaints,
    seen,
    words,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

BRANCHES = (
    "Compiling pays.",
    "Compiling costs more than it saves.",
    "The difference is within the noise.",
)


def measured(folder: Path) -> NumbersSite:
    made = NumbersSite.copy(folder)
    made.record("torch", COMPILED_WINS)
    made.record("mxnet", EAGER_WINS)
    made.record("jax", COMPILED_WINS)
    return made


@pytest.fixture
def site(tmp_path: Path) -> NumbersSite:
    return measured(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return measured(tmp_path_factory.mktemp("verdict")).build()


def statements(built: Built) -> list[str]:
    """Return what stands on the page beside charts, tabs and numbers."""
    paragraphs = built.page("speed").select("section > p:not(.coverage-note)")
    return [words(each) for each in paragraphs]


def test_outside_tabs_each_true_branch_names_its_frameworks(built: Built) -> None:
    assert built.warnings == ""
    assert statements(built) == [f"PyTorch and JAX: {BRANCHES[0]}", f"MXNet: {BRANCHES[1]}"]
    heads = built.page("speed").select("section > p > strong")
    assert [each.get_text() for each in heads] == ["PyTorch and JAX:", "MXNet:"]


def test_inside_a_tab_the_one_true_branch_stands_alone(built: Built) -> None:
    text = seen(built, "speed")
    assert "Compiling pays, by a factor of 1.46." in text
    assert "Compiling costs: a factor" not in text
    assert "Compiling makes no difference." not in text


def test_opposite_recordings_make_opposite_sentences_with_no_edit(site: NumbersSite) -> None:
    before = seen(site.build(), "speed")
    for framework in ("torch", "jax"):
        site.record(framework, EAGER_WINS)
    site.record("mxnet", EVEN)
    built = site.build()
    assert statements(built) == [f"PyTorch and JAX: {BRANCHES[1]}", f"MXNet: {BRANCHES[2]}"]
    after = seen(built, "speed")
    assert "Compiling pays, by a factor of 1.46." in before
    assert "Compiling pays" not in after
    assert "Compiling costs: a factor of 0.62" in after


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("en", ["PyTorch, MXNet and JAX:"]),
        ("zh_CN", ["PyTorch、MXNet和JAX\N{FULLWIDTH COLON}"]),
        ("pt_BR", ["PyTorch, MXNet e JAX:"]),
    ],
)
def test_the_list_of_frameworks_is_written_in_the_language(
    site: NumbersSite, language: str, heads: list[str]
) -> None:
    site.record("mxnet", COMPILED_WINS)
    found = site.build(language=language).page("speed").select("section > p > strong")
    assert [each.get_text() for each in found] == heads


def test_all_three_branches_reach_the_catalog(site: NumbersSite) -> None:
    built = site.build("gettext")
    assert built.warnings == ""
    pot = built.text("speed.pot")
    for branch in (*BRANCHES, "Compiling makes no difference."):
        assert f'msgid "{branch}"' in pot
    assert 'msgid "Compiling costs: a factor of {ratio}`forward: compiled vs eager`."' in pot
    assert "PyTorch and JAX" not in pot
    assert "146" not in pot


def test_a_page_of_plain_python_names_no_framework(site: NumbersSite) -> None:
    site.record("python", {"loop": 1e-3, "built in": 2.5e-4}, page="plain")
    text = seen(site.build(), "plain")
    assert "4.0. Use what is built in." in text


def test_a_branch_that_begins_with_no_paragraph_is_named_before_it(site: NumbersSite) -> None:
    page = site.root / "docs" / "speed.md"
    text = page.read_text("utf-8").replace("Compiling pays.\n", "- One.\n- Two.\n")
    page.write_text(text, encoding="utf-8")
    built = site.build()
    assert built.warnings == ""
    [head] = [each for each in built.page("speed").select("section > p") if "JAX" in each.text]
    assert head.get_text() == "PyTorch and JAX:"
    beside = head.find_next_sibling()
    assert beside is not None
    assert beside.name == "ul"


def test_a_framework_that_lacks_a_case_is_not_spoken_of(site: NumbersSite) -> None:
    site.record("mxnet", {"eager": 1e-4, "hybridized": 5e-5})
    built = site.build()
    assert built.warnings == ""
    assert statements(built) == [f"PyTorch and JAX: {BRANCHES[0]}"]


def test_what_was_measured_nowhere_yet_is_said_to_be_so(site: NumbersSite) -> None:
    for framework in ("torch", "mxnet", "jax"):
        site.forget(framework)
    built = site.build()
    assert built.warnings == ""
    notices = [words(each) for each in built.page("speed").select(".notice")]
    assert notices.count("This has not been measured yet.") == 3  # outside, in the tab, in a chart


def test_a_verdict_of_a_script_that_was_edited_since_says_so(site: NumbersSite) -> None:
    script = site.root / "snippets" / "speed" / "torch.py"
    script.write_text(script.read_text("utf-8") + "\n# %% more\nx = 1\n", encoding="utf-8")
    built = site.build()
    assert statements(built)[0] == f"PyTorch and JAX: {BRANCHES[0]}"
    notices = [words(each) for each in built.page("speed").select(".notice")]
    in_chart_and_verdict = ["Recorded before the last edit: PyTorch."] * 2
    in_tab = ["This output was recorded before the last edit."] * 2
    assert notices == in_chart_and_verdict + in_tab


WRONG = """\
# Speed

::::{verdict} forward: compiled vs eager
:::{when} faster
A.
:::
::::

::::{verdict} forward: compiled vs eager
:::{when} faster
B.
:::
:::{when} faster
B.
:::
::::

::::{verdict} forward: compiled vs eager
:::{when} quicker
C.
:::
::::

::::{verdict} forward: compiled vs eager
Anything else.
::::

::::{verdict} forward: compiled vs eager
:::{when} slower
:::
::::

:::{when} faster
D.
:::

::::{verdict} forwrad: compiled vs eager
:::{when} faster
:::
::::

::::{verdict} forwrad: compiled vs eager
:::{when} faster
E.
:::
:::{when} slower
E.
:::
:::{when} inconclusive
E.
:::
::::

::::{verdict} forward: eager vs compiled

:::{when} faster
F {ratio}`forward: compiled vs eager`.
:::
:::{when} slower
F.
:::
:::{when} inconclusive
F.
:::
::::
"""
ORDER = (
    "in PyTorch `eager` is measured before `compiled`, so it is the old one "
    "write `forward: compiled vs eager`: new vs old"
)
NO_TAB = (
    "`forward: compiled vs eager` differs between frameworks "
    "put the sentence into the tabs of the frameworks"
)
COMPLAINTS = [
    (3, "no branch for `slower`, `inconclusive`"),
    (9, "the branch `faster` stands twice"),
    (18, "`quicker` is no verdict; known: faster, slower, inconclusive"),
    (24, "a verdict holds `{when}` branches and nothing else"),
    (28, "the branch `slower` says nothing"),
    (33, "a `{when}` stands outside a `{verdict}`"),
    (37, "the branch `faster` says nothing"),
    (42, "no script of page `speed` measures `forwrad: compiled, eager` known here: forward"),
    (
        54,
        ORDER,
    ),
    (
        57,  # MyST counts one line too many where no blank line precedes the first branch
        NO_TAB,
    ),
]


def test_each_mistake_is_told_once_with_its_file_and_line(site: NumbersSite) -> None:
    site.write("docs/speed.md", WRONG)
    assert complaints(site.build(), "speed") == COMPLAINTS
