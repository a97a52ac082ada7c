from __future__ import annotations

import pytest

from polytab.translations.rules.structure import EDGE, OPAQUE, Part, plain, structure


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("`x`", Part("code", "x")),
        ("[text](https://a.org/x 'title')", Part("link", "https://a.org/x")),
        ("![text](x.png)", Part("image", "x.png")),
        ("{ref}`text <target>`", Part("role", "{ref}`target`")),
        ("{ref}`target`", Part("role", "{ref}`target`")),
        ("{ref}`!text <target>`", Part("role", "{ref}`!text <target>`")),
        ("{ratio}`text <target>`", Part("role", "{ratio}`text <target>`")),
        ("{abbr}`JIT (just in time)`", Part("role", "{abbr}")),
        ("{math}`x^2`", Part("math", "{math}`x^2`")),
        ("*text*", Part("emphasis", "em")),
        ("text[^note]", Part("footnote", "note")),
        ("a<br>", Part("html", "<br>")),
        ("a {{ x }}", Part("substitution", "x")),
        ("https://a.org/x.", Part("address", "https://a.org/x")),
        ("me@a.org.", Part("address", "me@a.org")),
        ("50% {name}", Part("placeholder", "{name}")),
        ("of %(name)s", Part("placeholder", "%(name)s")),
        ("`x`{.big}", Part("attribute", "code_inline class=big")),
    ],
)
def test_a_part_keeps_what_must_stay(text: str, part: Part) -> None:
    assert part in structure(text).parts


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("Call `x` *now*.", f"Call {OPAQUE} now."),
        ("**`x`** is", f"{EDGE}{OPAQUE}{EDGE} is"),
        (
            "See [the text](x.md), {ref}`this <x>` and {term}`graph`.",
            "See the text, this and graph.",
        ),
        ("See {ref}`x` at https://a.org.", f"See {OPAQUE} at {OPAQUE}."),
        ("Two\nlines &amp; \\*signs\\*", "Two lines & *signs*"),
    ],
)
def test_prose_is_what_a_reader_hears(text: str, prose: str) -> None:
    assert structure(text).prose == prose


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(x)=", "myst_target"),
        ("% x", "myst_line_comment"),
        ("[x]: https://a.org", "definition"),
        ("[^x]: text", "footnote_reference_open"),
        (":::{note}", "colon_fence"),
        ("```{note}", "fence"),
        ("<div>", "html_block"),
        ("{{ x }}", "substitution_block"),
        ("1. text", "ordered_list_open"),
    ],
)
def test_a_message_may_be_another_block_than_it_seems(text: str, kind: str) -> None:
    assert structure(text).has(kind)


def test_a_message_that_is_no_markdown_has_only_places_and_addresses() -> None:
    read = plain("x[0] *= `2`  # %(name)s at https://a.org")
    assert read.parts == (Part("placeholder", "%(name)s"), Part("address", "https://a.org"))
    assert read.prose == f"x[0] *= `2`  # {OPAQUE} at {OPAQUE}"
