"""What a page says by hand about times is found; what is no claim is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.pages.markdown.claims import claims_of, comparison, excuse, measured_number

if TYPE_CHECKING:
    from collections.abc import Callable


PAGE = Path("page.md")


def found(text: str) -> list[tuple[int | None, str, str]]:
    """Return line, rule and what was found, in the order of the lines."""
    findings = claims_of(PAGE, text)
    return sorted((each.line, each.rule, each.message.split("` is ")[0][1:]) for each in findings)


@pytest.mark.parametrize(
    "said",
    [
        *("3.4 ms", "12 µs", "0,5 s", "7 seconds", "1.5x", "2 times", "20 %", "5 per cent"),
        *("30-fold", "three times", "ten times", "100 ns", "1.46\N{MULTIPLICATION SIGN}"),
    ],
)
def test_a_time_or_a_factor_is_found(said: str) -> None:
    assert found(f"It takes {said}, they say.") == [(1, "measured-number", said)]


@pytest.mark.parametrize(
    "said",
    [
        *("faster", "Slower", "quickest", "outperforms", "accelerates", "sped up"),
        *("speeds it up", "slows down", "as fast as", "twice as fast", "less time"),
        *("significantly better performance", "no speed-up", "speedup is considerable"),
        *("reduces the overhead", "throughput was higher", "more time"),
    ],
)
def test_a_comparison_of_speed_is_found(said: str) -> None:
    assert [(rule, text) for _, rule, text in found(f"The network {said}.")] == [
        ("comparison", said)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A matrix of 512 x 256, or 3x3, in 2 layers with 10 inputs.",
        "Version 2.13.0 of 2026 needs Python 3.11.",
        "Is the compiled network faster? By how many times?",
        "## When is it 2 times faster?",
        "The code `2x faster` and the formula {math}`3 s` are no prose.",
        "A call takes {measured}`forward: 3 s`.",
        "```python\ntime.sleep(3)  # 3 s, slower\n```",
        "```{code-block} python\n# 3 s, slower\n```",
        ":::{note}\n:class: faster\n:name: 3-ms\n\nNothing.\n:::",
        "::::{verdict} a: b vs c\n:::{when} faster\nIt is 2 times faster.\n:::\n::::",
        ":::{benchmark} 3 s\n:::",
        "% It is 2 times faster.",
        "[a page](https://example.org/faster/3s)",
        "The performance of a network depends on many things.",
    ],
)
def test_what_is_no_claim_is_left_alone(text: str) -> None:
    assert found(text) == []


NESTED = """\
# Title

Nothing here,
but here it is
faster.

:::::::{tabs}
::::::{group-tab} PyTorch
One.

:::{admonition} Takes 3 ms
:class: note

- item
- takes 4 ms
:::
::::::
:::::::

| case | time |
|------|------|
| a    | 5 ms |
"""


def test_a_claim_is_found_wherever_prose_stands_with_its_line() -> None:
    assert found(NESTED) == [
        (5, "comparison", "faster"),
        (11, "measured-number", "3 ms"),
        (15, "measured-number", "4 ms"),
        (22, "measured-number", "5 ms"),
    ]


@given(st.integers(min_value=0, max_value=5), st.integers(min_value=0, max_value=5))
def test_the_line_is_that_of_the_words(above: int, before: int) -> None:
    text = "\n" * above + "Some words\n" * before + "take 3 ms.\n"
    assert found(text) == [(above + before + 1, "measured-number", "3 ms")]


def test_a_reason_directly_above_excuses_the_whole_block() -> None:
    assert found("% claim: a definition\nFaster means\nless than 3 ms.\n") == []
    assert found("% claim: examples\n- 1 ms\n- 2 ms\n") == []
    assert {rule for _, rule, _ in found("% claim: an example\n\n1 ms\n")} == {
        "measured-number",
        "excuse",
    }
    assert found("% claim: an example\n:::{note}\n1 ms\n:::\n") == []


def test_an_excuse_reaches_no_further_than_its_block() -> None:
    assert found("% claim: a definition\n1 ms.\n\n2 ms.\n") == [(4, "measured-number", "2 ms")]


def test_an_excuse_inside_a_directive_counts_there() -> None:
    text = ":::{note}\n% claim: an example\n1 ms\n\n2 ms\n:::\n"
    assert found(text) == [(5, "measured-number", "2 ms")]


def test_an_excuse_needs_a_reason_and_a_claim() -> None:
    said = [str(each) for each in claims_of(PAGE, "% claim:\n1 ms\n\n% claim: why\nNothing.\n")]
    assert said == [
        "page.md:1: [excuse] say why: `% claim: reason`",
        "page.md:4: [excuse] the block below claims nothing: drop the excuse",
    ]


@pytest.mark.parametrize("rule", [measured_number, comparison, excuse])
def test_each_rule_shows_what_it_finds_and_what_it_wants(rule: Callable[..., object]) -> None:
    lines = [line.strip() for line in (rule.__doc__ or "").split("\n")]
    [bad] = [line.removeprefix("Bad:  ") for line in lines if line.startswith("Bad:  ")]
    [good] = [line.removeprefix("Good: ") for line in lines if line.startswith("Good: ")]
    name = rule.__name__.replace("_", "-")
    below = "\nA speed-up is no less than 1.\n"
    assert name in {kind for _, kind, _ in found(bad + below * (rule is excuse))}
    assert found(good + below * (rule is excuse)) == []
