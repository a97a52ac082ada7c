"""How long a page takes to read follows from its words and its code, of one framework."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from polytab.pages.markdown.reading_time import minutes_to_read

WORDS = "word " * 1900
TABS = """\
::::{{tabs}}
:::{{group-tab}} PyTorch
{torch}
:::
:::{{group-tab}} JAX
{jax}
:::
::::
"""


def test_words_are_read_at_two_hundred_a_minute() -> None:
    assert minutes_to_read(WORDS, {}) == 10


def test_a_page_of_a_few_words_takes_a_minute() -> None:
    assert minutes_to_read("word " * 30, {}) == 1
    assert minutes_to_read("word " * 390, {}) == 2


def test_characters_that_are_words_count_as_such() -> None:
    assert minutes_to_read("编译" * 1600, {}) == 10


def test_of_tabs_the_longest_counts() -> None:
    one = TABS.format(torch=WORDS, jax="short")
    two = TABS.format(torch=WORDS, jax=WORDS)
    assert minutes_to_read(one, {}) == minutes_to_read(two, {}) == 10


def test_a_cell_is_read_where_it_is_shown() -> None:
    lines = {("PyTorch", "net"): 90, ("JAX", "net"): 190, ("JAX", "unseen"): 4000}
    assert minutes_to_read(":::{snippet} net\n:::\n", lines) == 10
    assert minutes_to_read(TABS.format(torch="```{snippet} net\n```", jax=""), lines) == 5


def test_code_in_the_page_counts_by_lines() -> None:
    assert minutes_to_read("```python\n" + "x = 1\n" * 190 + "```\n", {}) == 10


@given(st.text())
def test_every_page_takes_some_minutes_and_more_text_never_fewer(text: str) -> None:
    minutes = minutes_to_read(text, {})
    assert minutes >= 1
    assert minutes_to_read(f"{WORDS}\n\n{text}", {}) >= 10
