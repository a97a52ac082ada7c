"""Leave out of a page what no reader, and nothing that reads it aloud, would miss.

Laws, guarded by tests/site/test_lighten.py: the words of a page, its boxes and its addresses stay;
what stands in `pre` stays letter by letter; lightening twice is lightening once.
"""

from __future__ import annotations

import re

_KEPT = re.compile(r"(<(?P<tag>pre|script|style|textarea)\b.*?</(?P=tag)>)", re.DOTALL)
_COMMENT = re.compile(r"<!--(?!\[if).*?-->", re.DOTALL)
_BREAK = re.compile(r"[ \t]*\n\s*")
_WORD = re.compile(r'<span class="pre">([^<]*)</span>')
_START = re.compile(r"<pre><span></span>(?!\n)")
_NO_HEADER = re.compile(r"<th\b[^>]*>(?:<p></p>)?</th>")
_SVG = re.compile(r"<svg xmlns=\"http://www.w3.org/2000/svg\"(?P<drawing>.*?</svg>)", re.DOTALL)
_TENTHS = re.compile(r"(?<=\d)\.0(?=[ \"A-Z])")
_SYMBOL = re.compile(r'<symbol id="(?P<id>[\w-]+)".*?</symbol>', re.DOTALL)


def lighten(markup: str) -> str:
    """Return a page without indentation, comments, unused icons and boxes that do nothing."""
    text = _SYMBOL.sub(lambda each: each[0] if f'#{each["id"]}"' in markup else "", markup)
    light, at = "", 0
    for kept in _KEPT.finditer(text):
        light += _loosen(text[at : kept.start()]) + kept[0]
        at = kept.end()
    light += _loosen(text[at:])
    # Pygments' box keeps a first empty line from being swallowed; where there is none, it is idle.
    # A header that says nothing is none: the empty corner of a table.
    light = _NO_HEADER.sub("<td></td>", _START.sub("<pre>", light))
    # Inside of HTML a drawing needs no namespace, and its whole numbers need no tenths.
    return _SVG.sub(lambda each: f"<svg{_TENTHS.sub('', each['drawing'])}", light)


def _loosen(text: str) -> str:
    return _WORD.sub(r"\1", _BREAK.sub("\n", _COMMENT.sub("", text)))
