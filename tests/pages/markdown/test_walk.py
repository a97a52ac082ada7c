"""Every block of a page is met once, with its line and the directives around it."""

from __future__ import annotations

import pytest

from polytab.pages.markdown.walk import Directive, walk

PAGE = """\
---
orphan: true
---

# Start

::::{note} A *title*
:class: wide

First.

:::{snippet} plain
:::
::::

```python
:::{snippet} shown
```
"""


def _prose(text: str) -> list[tuple[str, int, list[str]]]:
    """Return the text of each paragraph and heading, its line, and what it stands in."""
    return [
        (block.token.content, block.line, [each.name for each in block.within])
        for block in walk(text)
        if block.token.type == "inline"
    ]


def _calls(text: str) -> list[tuple[str, str, int]]:
    return [
        (block.directive.name, block.directive.argument, block.line)
        for block in walk(text)
        if block.directive
    ]


def test_text_comes_with_its_line_and_the_directives_around_it() -> None:
    assert _prose(PAGE) == [("Start", 5, []), ("First.", 10, ["note"])]


def test_directives_are_met_wherever_they_stand_and_code_is_none() -> None:
    assert _calls(PAGE) == [("note", "A *title*", 7), ("snippet", "plain", 12)]


def test_options_are_no_body() -> None:
    [called] = [block.directive for block in walk(":::{note}\n:class: wide\nText.\n:::\n")
                if block.directive]  # fmt: skip
    assert called == Directive("note", "", ":class: wide", "\nText.\n")


def test_colons_without_a_directive_are_a_block_of_markdown() -> None:
    assert _prose("::::aside\nOne.\n:::{tip}\nTwo.\n:::\n::::\n") == [
        ("One.", 2, []),
        ("Two.", 4, ["tip"]),
    ]


@pytest.mark.parametrize("info", ["python", "{a b}", "{note}x", "note"])
def test_what_only_looks_like_a_call_is_code(info: str) -> None:
    assert list(_calls(f"```{info}\n:::{{tip}}\n:::\n```\n")) == []


@pytest.mark.parametrize("name", ["code-block", "math", "toctree"])
def test_the_body_of_a_literal_directive_is_not_read(name: str) -> None:
    assert _calls(f"````{{{name}}}\n:::{{tip}}\n:::\n````\n") == [(name, "", 1)]


def test_lists_and_quotes_are_entered() -> None:
    assert _calls("- One\n\n  :::{tip}\n  :::\n\n> :::{note}\n> :::\n") == [
        ("tip", "", 3),
        ("note", "", 6),
    ]
