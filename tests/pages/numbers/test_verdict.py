"""A statement about speed says what the recordings say, of each framework and in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.numbers_site import (
    COMPILED_WINS,
    EAGER_WINS,
    EVEN,
    How,
    NumbersSite,
    complaints,
    found_before,
    seen,
    words,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

BRANCHES = ("Compiling pays.", "Compiling costs more than it saves.")
SAME = "“compiled” and “eager” take about the same time: within 5 %."


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
    article = built.page("speed")
    for hidden in article.select(".number-origin"):
        hidden.decompose()
    paragraphs = article.select("section > p:not(.coverage-note, .tab-absence)")
    return [words(each) for each in paragraphs]


def test_outside_tabs_each_true_branch_names_its_frameworks(built: Built) -> None:
    assert built.warnings == ""
    assert statements(built) == [f"PyTorch and JAX: {BRANCHES[0]}", f"MXNet: {BRANCHES[1]}"]
    heads = built.page("speed").select("section > p > strong")
    assert [each.get_text() for each in heads] == ["PyTorch and JAX:", "MXNet:"]


def test_where_all_frameworks_agree_they_are_counted_not_named(site: NumbersSite) -> None:
    site.record("mxnet", COMPILED_WINS)
    assert statements(site.build()) == [f"In all three: {BRANCHES[0]}"]


def test_where_a_framework_is_missing_those_that_agree_are_named(site: NumbersSite) -> None:
    site.forget("mxnet")
    assert statements(site.build()) == [f"PyTorch and JAX: {BRANCHES[0]}"]


def test_inside_a_tab_the_one_true_branch_stands_alone(built: Built) -> None:
    text = seen(built, "speed")
    assert "Compiling pays, by a factor of 1.46." in text
    assert "Compiling costs: a factor" not in text


def test_opposite_recordings_make_opposite_sentences_with_no_edit(site: NumbersSite) -> None:
    before = seen(site.build(), "speed")
    for framework in ("torch", "jax"):
        site.record(framework, EAGER_WINS)
    site.record("mxnet", EVEN)
    built = site.build()
    assert statements(built) == [f"PyTorch and JAX: {BRANCHES[1]}", f"MXNet: {SAME}"]
    after = seen(built, "speed")
    assert "Compiling pays, by a factor of 1.46." in before
    assert "Compiling pays" not in after
    assert "Compiling costs: a factor of 0.62" in after


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("en", ["PyTorch and JAX:", "MXNet:"]),
        ("zh_CN", ["PyTorch和JAX\N{FULLWIDTH COLON}", "MXNet\N{FULLWIDTH COLON}"]),
        ("pt_BR", ["PyTorch e JAX:", "MXNet:"]),
    ],
)
def test_the_list_of_frameworks_is_written_in_the_language(
    site: NumbersSite, language: str, heads: list[str]
) -> None:
    found = site.build(language=language).page("speed").select("section > p > strong")
    assert [each.get_text() for each in found] == heads


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", f"In all three: {SAME}"),
        ("zh_CN", "三个框架都如此：“compiled”与“eager”用时大致相同：相差在5%以内。"),
        (
            "pt_BR",
            (
                "Nos três frameworks: “compiled” e “eager” levam praticamente o mesmo tempo: "
                "a diferença não passa de 5%."
            ),
        ),
    ],
)
def test_an_open_result_is_told_by_the_engine_in_the_language(
    site: NumbersSite, language: str, said: str
) -> None:
    for framework in ("torch", "mxnet", "jax"):
        site.record(framework, EVEN)
    assert statements(site.build(language=language)) == [said]


def test_an_open_result_says_its_interval_of_each_framework(site: NumbersSite) -> None:
    site.record("torch", {"eager": 1.05e-4, "compiled": 1e-4})
    site.record("mxnet", {"eager": 1e-4, "compiled": 1.05e-4})
    site.record("jax", COMPILED_WINS, how=How(processes=1))
    small = "A difference, perhaps a small one: “compiled”"
    undecided = "This measurement does not decide between “compiled” and “eager”"
    ruled = "Less than the 5 % we ask for is not ruled out."
    assert statements(site.build()) == [
        f"PyTorch: {small} is 1.04 to 1.05 times as fast as “eager”. {ruled}",
        f"MXNet: {small} takes 1.05 to 1.05 times as long as “eager”. {ruled}",
        f"JAX: {undecided}: it is of one process.",
    ]


def test_frameworks_of_which_the_same_is_open_share_a_sentence(site: NumbersSite) -> None:
    site.record("torch", {"eager": 1.05e-4, "compiled": 1e-4})
    site.record("mxnet", COMPILED_WINS)
    site.record("jax", {"eager": 1.048e-4, "compiled": 1e-4})
    said = next(each for each in statements(site.build()) if "perhaps" in each)
    assert said == (
        "PyTorch and JAX: A difference, perhaps a small one: “compiled” is "
        "1.04 to 1.05 times (PyTorch) and 1.04 to 1.05 times (JAX) as fast as “eager”. "
        "Less than the 5 % we ask for is not ruled out."
    )


def test_what_was_measured_first_does_not_matter(site: NumbersSite) -> None:
    before = statements(site.build())
    for framework in ("torch", "jax"):
        site.record(framework, dict(reversed(COMPILED_WINS.items())))
    site.record("mxnet", dict(reversed(EAGER_WINS.items())))
    assert statements(site.build()) == before


TWO_WAYS = """\
# Speed

::::{verdict} forward: eager vs compiled
:::{when} faster
Faster: {ratio}`forward: eager vs compiled`, {measured}`forward: eager`.
:::
:::{when} slower
Slower: {ratio}`forward: compiled vs eager`.
:::
:::{when} same 60%
The same.
:::
::::
"""


def test_a_number_outside_of_tabs_is_of_each_framework(site: NumbersSite) -> None:
    site.write("docs/speed.md", TWO_WAYS.replace("60%", "25%"))
    site.record("jax", {"eager": 2e-4, "compiled": 1e-4})
    built = site.build()
    assert built.warnings == ""
    assert statements(built) == [
        "MXNet: Faster: 1.6, 50.0 µs.",
        "PyTorch and JAX: Slower: 1.46 (PyTorch) and 2.0 (JAX).",
    ]


def test_the_authors_bound_says_what_is_the_same(site: NumbersSite) -> None:
    site.write("docs/speed.md", TWO_WAYS)
    built = site.build()
    assert statements(built) == ["MXNet: Faster: 1.6, 50.0 µs.", "PyTorch and JAX: The same."]


def test_all_branches_reach_the_catalog(site: NumbersSite) -> None:
    built = site.build("gettext")
    assert built.warnings == ""
    pot = built.text("speed.pot")
    for branch in BRANCHES:
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
::::

::::{verdict} forward: compiled vs eager
:::{when} faster
F {ratio}`forwrad: compiled vs eager`.
:::
:::{when} slower
F.
:::
::::

::::{verdict} forward: compiled vs eager
:::{when} faster
G.
:::
:::{when} slower
G.
:::
:::{when} inconclusive
G.
:::
::::

::::{verdict} forward: compiled vs eager
:::{when} faster
H.
:::
:::{when} slower
H.
:::
:::{when} same 250%
H.
:::
::::

::::{verdict} forward: compiled vs eager
:::{when} same
I.
:::
::::
"""
HINT = (
    "what an open result says is not written by hand: delete the branch; what holds whatever the "
    "verdict stands after it; where sameness is the point, write `{when} same 25%`"
)
NO_BRANCH = "is no branch; there are `faster`, `slower` and `same` with a bound"
UNKNOWN = "no script of page `speed` measures `forwrad: compiled, eager` known here: forward"
COMPLAINTS = [
    (3, "no branch for `slower` add `{when} slower`: the next recording may find it true"),
    (9, "the branch `faster` stands twice"),
    (18, f"`quicker` {NO_BRANCH} {HINT}"),
    (24, "a verdict holds `{when}` branches and nothing else"),
    (28, "the branch `slower` says nothing write what holds then"),
    (33, "a `{when}` stands outside a `{verdict}`"),
    (37, "the branch `faster` says nothing write what holds then"),
    (42, UNKNOWN),
    (54, UNKNOWN),
    (60, f"`inconclusive` {NO_BRANCH} {HINT}"),
    (72, "`same 250%` has no bound from 1 % to 100 % write `{when} same 25%`"),
    (84, "`same` has no bound write `{when} same 25%`"),
]


def test_each_mistake_is_told_once_with_its_file_and_line(site: NumbersSite) -> None:
    site.write("docs/speed.md", WRONG)
    assert complaints(site.build(), "speed") == COMPLAINTS


def test_a_check_finds_each_mistake_before_the_build_does(site: NumbersSite) -> None:
    site.write("docs/speed.md", WRONG)
    found = {said.replace("; ", " ") for _line, said in found_before(site, "speed")}
    for _line, said in COMPLAINTS:
        assert any(said.replace("; ", " ") in each for each in found)
