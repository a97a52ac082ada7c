"""Given pages, then each has its policy, and what that would stop is told with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.site.page import read_page
from polytab.site.policy import POLICY, check_policies, digest_source

if TYPE_CHECKING:
    from polytab.settings import Settings

META = '<meta http-equiv="Content-Security-Policy" content="{}">'
PAGE = """\
<!doctype html>
<html lang="en">
  <head>
  {meta}<meta charset="utf-8"><title>T</title>
<link rel="stylesheet" href="_static/a.css"><script src="_static/a.js"></script></head>
<body><script type="application/json">{{"a": 1}}</script>
{markup}
</body></html>
"""
NONE = "the page does not begin its head with its policy"
ELSEWHERE = "a file of another host is not loaded: bring it along"
MORE = "the page's policy allows more than that of all pages: {}"


def told(settings: Settings, page: str) -> list[tuple[int | None, str]]:
    found = list(
        check_policies(settings, {"en/a.html": read_page("en/a.html", page.encode()).complaints})
    )
    assert {each.file for each in found} <= {settings.site / "en" / "a.html"}
    assert {each.rule for each in found} <= {"policy"}
    return [(each.line, each.message) for each in found]


def page(markup: str = "", policy: str = POLICY) -> str:
    return PAGE.format(meta=META.format(policy), markup=markup)


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    allowed = {each for directive in POLICY.split("; ") for each in directive.split(" ")[1:]}
    assert allowed == {"'none'", "'self'", "'wasm-unsafe-eval'", "data:"}


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Words.</p>",
        '<a href="page.html#on">x</a> <a href="https://a.example">x</a>',
        '<svg fill="none"><path d="M0 0"/></svg>',
        "&lt;script&gt;go()&lt;/script&gt;",
        '<img src="data:image/png;base64,xx"><img src="a.png">',
        '<link rel="canonical" href="https://a.example">',
    ],
)
def test_what_the_policy_does_not_stop_is_not_told(handbook: Settings, markup: str) -> None:
    assert told(handbook, page(markup)) == []


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ("<script>go()</script>", "an inline script is not run: put it into a file"),
        ("<script type=module>go()</script>", "an inline script is not run: put it into a file"),
        ("<style>p { top: 0 }</style>", "an inline style has no effect: put it into a file"),
        ("<svg><style>p{}</style></svg>", "an inline style has no effect: put it into a file"),
        ('<p onclick="go()">', "the handler `onclick` is not run"),
        ('<p style="color: red">', '`style="color: red"` has no effect'),
        ('<a href="javascript:go()">', "the link `javascript:go()` does nothing"),
        ('<a href=" Java\tScript:go()">', "the link ` Java\tScript:go()` does nothing"),
        ('<form action="javascript:go()">', "the link `javascript:go()` does nothing"),
        ('<base href="/other">', "`base` is not allowed"),
        ('<iframe src="a.html"></iframe>', "`iframe` is not shown"),
        ('<img src="https://a.example/b.png">', ELSEWHERE),
        ('<script src="//a.example/b.js"></script>', ELSEWHERE),
        ('<link rel="stylesheet" href="http://a.example/b.css">', ELSEWHERE),
    ],
)  # fmt: skip
def test_what_the_policy_stops_is_told_with_its_line(
    handbook: Settings, markup: str, said: str
) -> None:
    assert told(handbook, page(f"\n{markup}")) == [(8, said)]


@pytest.mark.parametrize(
    "meta",
    [
        "",
        '<meta charset="utf-8">' + META.format(POLICY),
        META.format(POLICY).replace("Content-Security-Policy", "refresh"),
        "words" + META.format(POLICY),
    ],
)
def test_a_page_that_does_not_begin_with_its_policy_is_told(handbook: Settings, meta: str) -> None:
    assert told(handbook, PAGE.format(meta=meta, markup="")) == [(1, NONE)]


@pytest.mark.parametrize("content", ["", "<p>Words", "<html><body><head>"])
def test_a_page_with_no_head_is_told(handbook: Settings, content: str) -> None:
    assert told(handbook, content) == [(1, NONE)]


@pytest.mark.parametrize(
    ("policy", "more"),
    [
        (POLICY.replace("default-src 'none'", "default-src *"), "default-src"),
        (POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"), "style-src"),
        (POLICY.replace("default-src 'none'; ", ""), "default-src"),
        (POLICY.replace("base-uri 'none'; ", ""), "base-uri"),
        (f"{POLICY}; frame-src https://a.example", "frame-src"),
    ],
)
def test_a_policy_that_allows_more_is_told(handbook: Settings, policy: str, more: str) -> None:
    assert told(handbook, page(policy=policy)) == [(1, MORE.format(more))]


def test_what_a_policy_names_by_its_digest_is_run(handbook: Settings) -> None:
    script, style = "\n  if (1 < 2 && '</p>') { go(); }\n", "p { top: 0 }"
    policy = POLICY.replace("'wasm-unsafe-eval'", digest_source(script)).replace(
        "style-src", f"style-src {digest_source(style)}"
    )
    own = f"<script>{script}</script><style>{style}</style>"
    assert told(handbook, page(own, policy)) == []
    other = own.replace("go()", "steal()")
    [(line, said)] = told(handbook, page(other, policy))
    assert (line, said) == (7, "an inline script is not run: put it into a file")
    assert digest_source("") == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
