"""Given written pages, when they get their policies, then what they need may run, and no more."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.errors import PolytabError
from polytab.site.policy import policy, protect, read_inline
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = "\n  if (1 < 2 && '</p>') { go(); }\n"
PAGE = f"""\
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>T</title>
<style>body {{ color: red }}</style><script src="_static/a.js"></script></head>
<body><script>{SCRIPT}</script><script type="application/json">{{"a": 1}}</script>
<article><p>Words.</p></article></body></html>
"""


def spell(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def given(page: Path) -> str:
    """Return the policy of a page, as its head says it first."""
    head = BeautifulSoup(page.read_text("utf-8"), "html.parser").head
    assert head is not None
    first = next(head.children)
    assert first["http-equiv"] == "Content-Security-Policy"  # type: ignore[index]
    return str(first["content"])  # type: ignore[index]


def parts(page: Path) -> dict[str, list[str]]:
    return {name: rest for name, *rest in (each.split() for each in given(page).split("; "))}


def test_nothing_is_allowed_that_is_not_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": PAGE})
    assert list(protect(tmp_path)) == []
    found = parts(tmp_path / "a.html")
    assert found["default-src"] == ["'none'"]
    assert found["base-uri"] == found["form-action"] == ["'none'"]
    assert found["script-src"] == ["'self'", "'wasm-unsafe-eval'", spell(SCRIPT)]
    assert found["style-src"] == ["'self'", spell("body { color: red }")]
    assert "unsafe-inline" not in given(tmp_path / "a.html")
    assert "http:" not in given(tmp_path / "a.html")


def test_each_page_has_the_hashes_of_what_is_in_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": PAGE, "en/b.html": PAGE.replace("go()", "stay()")})
    list(protect(tmp_path))
    assert parts(tmp_path / "en/b.html")["script-src"][2:] == [spell(SCRIPT.replace("go", "stay"))]


def test_a_policy_is_renewed_and_a_page_that_has_it_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": PAGE})
    page = tmp_path / "a.html"
    list(protect(tmp_path))
    once, when = page.read_text("utf-8"), page.stat().st_mtime_ns
    list(protect(tmp_path))
    assert (page.read_text("utf-8"), page.stat().st_mtime_ns) == (once, when)
    page.write_text(once.replace("go()", "stay()"), encoding="utf-8")
    list(protect(tmp_path))
    assert page.read_text("utf-8").count("http-equiv") == 1
    assert spell(SCRIPT.replace("go", "stay")) in given(page)


def test_browsers_still_see_the_encoding_in_time(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": PAGE})
    list(protect(tmp_path))
    assert b'charset="utf-8"' in (tmp_path / "a.html").read_bytes()[:1024]


def test_a_script_in_an_article_is_not_run_and_is_told(tmp_path: Path) -> None:
    page = PAGE.replace("Words.", "<script>steal()</script>")
    write(tmp_path, {"a.html": page})
    [finding] = protect(tmp_path)
    assert str(finding) == f"{tmp_path / 'a.html'}:8: [policy] a script in an article is not run"
    assert spell("steal()") not in given(tmp_path / "a.html")


@pytest.mark.parametrize(
    ("markup", "said"),
    [
        ('<p onclick="go()">', "the handler `onclick` is not run"),
        ('<p style="color: red">', '`style="color: red"` has no effect'),
        ('<a href="javascript:go()">', "the link `javascript:go()` does nothing"),
        ('<a href=" Java\tScript:go()">', "the link ` Java\tScript:go()` does nothing"),
        ('<form action="javascript:go()">', "the link `javascript:go()` does nothing"),
        ('<base href="/other">', "`base` is not allowed"),
    ],
)
def test_what_the_policy_stops_is_told(markup: str, said: str) -> None:
    assert read_inline(markup).stopped == [(1, said)]


@pytest.mark.parametrize(
    "markup",
    ['<a href="page.html#on">', '<svg fill="none">', "&lt;script&gt;go()&lt;/script&gt;"],
)
def test_what_the_policy_does_not_stop_is_not_told(markup: str) -> None:
    assert read_inline(markup).stopped == []


def test_the_same_script_twice_is_allowed_once() -> None:
    inline = read_inline("<script>go()</script><script type=module>go()</script>")
    assert policy(inline).count("sha256-") == 1


def test_a_page_with_no_head_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": "<p>Words"})
    with pytest.raises(PolytabError, match=r"a\.html: this page has no head for its policy"):
        list(protect(tmp_path))
