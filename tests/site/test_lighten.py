"""Given a page, when it is lightened, then its words and its code are what they were."""

from __future__ import annotations

from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from polytab.site.lighten import lighten

PIECES = st.sampled_from(
    [
        *("<p>one\n   two</p>", "\n    \n", "<pre>\n  a\n\n    b\n</pre>", "<!-- said -->"),
        *('<code><span class="pre">x</span></code>', "<pre><span></span>\n\n  first</pre>"),
        *("<pre><span></span>x\n</pre>", '<symbol id="a"><path/></symbol>', '<use href="#a"/>'),
    ]
)


def words(markup: str) -> list[str]:
    return BeautifulSoup(markup, "html.parser").get_text().split()


@given(st.lists(PIECES, max_size=12).map("".join))
def test_words_and_code_stay_and_twice_is_once(markup: str) -> None:
    light = lighten(markup)
    assert words(light) == words(markup)
    code = [
        [each.get_text() for each in BeautifulSoup(text, "html.parser").find_all("pre")]
        for text in (markup, light)
    ]
    assert code[0] == code[1]
    assert lighten(light) == light


def test_what_does_nothing_goes() -> None:
    assert lighten('<p>\n    <span class="pre">x</span></p><!-- y -->') == "<p>\nx</p>"
    assert lighten('<symbol id="a"></symbol><p>x</p>') == "<p>x</p>"
    assert lighten("<pre><span></span>x</pre>") == "<pre>x</pre>"
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 2.0L10.0 1.05Z"/></svg> 2.0 kB'
    assert lighten(svg) == '<svg><path d="M1 2L10 1.05Z"/></svg> 2.0 kB'
    assert lighten('<th class="head"><p></p></th><th>a</th>') == "<td></td><th>a</th>"
