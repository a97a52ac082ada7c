"""Given a stylesheet and pages, then what no page can use is left out, and nothing else."""

from __future__ import annotations

import pytest

from polytab.errors import PolytabError
from polytab.site.unused import mentioned, without_unnamed, without_unused

PAGE = '<main class="page wide" id="top"><p>words</p></main>'
KNOWN = mentioned([PAGE], ["element.classList.add('opened')"])


@pytest.mark.parametrize(
    "rule",
    [
        ".page p{color:red}",
        "#top{color:red}",
        ".opened{color:red}",
        ":root{color:red}",
        "p:not(.never){color:red}",
        ":is(.never,p){color:red}",
        "p::before{color:red}",
        '[data-theme="dark"] p{color:red}',
        "@media print{p{color:red}}",
        "@page{margin:1cm}",
    ],
)
def test_what_may_match_stays(rule: str) -> None:
    assert "red" in without_unused(rule, KNOWN) or "1cm" in without_unused(rule, KNOWN)


@pytest.mark.parametrize(
    "rule",
    [".never{color:red}", "p.never{color:red}", "#words{color:red}", "table p{color:red}"],
)
def test_what_can_match_nothing_goes(rule: str) -> None:
    assert without_unused(f"{rule}p{{color:blue}}", KNOWN) == "p{color:blue;}"
    assert without_unused(f"@media print{{{rule}}}", KNOWN) == ""


def test_of_several_selectors_those_that_may_match_stay_in_their_order() -> None:
    assert without_unused("p,.never,.wide{margin:0}", KNOWN) == "p,.wide{margin:0;}"


def test_a_variable_that_only_an_unread_one_reads_goes_too() -> None:
    sheet = "p{--a:1px;--b:var(--a);--c:2px;margin:var(--c)}"
    assert without_unused(sheet, KNOWN) == "p{--c:2px;margin:var(--c);}"


def test_a_fault_is_told() -> None:
    with pytest.raises(PolytabError, match="fault"):
        without_unused("p{} }", KNOWN)


@pytest.mark.parametrize(
    ("classes", "kept"),
    [
        ("page never", ' class="page"'),
        ("opened", ' class="opened"'),
        ("look-12", ' class="look-12"'),
        ("never notranslate", ' class="notranslate"'),
        ("never", ""),
    ],
)
def test_a_class_that_nothing_names_goes(classes: str, kept: str) -> None:
    files = [".page{color:red}[class*=look-]{color:blue}", "element.classList.add('opened')"]
    words = 'of class="never"'
    assert without_unnamed(f'<p id="a" class="{classes}">{words}</p>', files) == (
        f'<p id="a"{kept}>{words}</p>'
    )
