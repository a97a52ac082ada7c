"""Given any words, then a published page has them as they were written: in prose, code, drawings.

Slow: a page is what a real Sphinx and a real build make of it. So one page holds many examples.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import settings as searched
from hypothesis import strategies as st

from polytab.site.build import build
from polytab.site.html import parse
from tests.support import built
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from xml.etree import ElementTree as ET

    from polytab.settings import Settings
    from polytab.site.html import Element

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

CONF = "\nsmartquotes = False\n"
PAGE = """\
# Words

{prose}

```text
{code}
```

:::{{figure}} words.svg
:alt: {alt}

Words.
:::
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9.0 9.50">{}</svg>'
LABEL = '<rect width="{width}" height="1.0"/><text>{words}</text><text class="code">{words}</text>'
NUMBERS = st.sampled_from(["2.0", "1.50", "0.0", "10.00", ".5", "007", "1e-3", "+1.0", "-0.0"])
NAMES = st.text("abcXYZé中文.%", min_size=1, max_size=9).map(lambda text: f"v{text}v")
WORDS = st.lists(NUMBERS | NAMES, min_size=1, max_size=4).map(" ".join)
"""Of a sentence that Markdown reads as it stands; spaces within are single."""

MARKUP = st.text("ab <>&\"'/.0;:#{}[]=-\\$*_", min_size=1, max_size=20).map("v{}v".format)
"""What has a meaning in HTML, CSS or Markdown; code and labels may hold it."""


def written(settings: Settings, texts: Sequence[str], codes: Sequence[str]) -> None:
    """Write a page that holds these words in every place where a page can hold words."""
    labels = (LABEL.format(words=escape(text), width=f"{at}.0") for at, text in enumerate(codes))
    page = PAGE.format(prose="\n\n".join(texts), code="\n".join(codes), alt=texts[0])
    drawing = DRAWING.format("".join(labels))
    write(settings.root, {"docs/end.md": page, "docs/words.svg": drawing})


def texts_of(root: ET.Element, path: str) -> list[str]:
    """Return the whole texts of elements, in order."""
    return ["".join(each.itertext()) for each in root.findall(path)]


def contents(element: ET.Element) -> Iterator[object]:
    """Give every text and attribute of a page, in order, but for the space between blocks."""
    yield element.tag, dict(element.attrib)
    for text in (element.text, element.tail):
        yield (text or "").strip() and text
    for each in element:
        yield from contents(each)


def without_policy(root: Element) -> list[object]:
    """Leave out what a preview has otherwise: no policy, and what its search dialog says."""
    for parent in list(root.iter()):
        for each in list(parent):
            if "http-equiv" in each.attrib or each.tag == "dialog":
                parent.remove(each)
    return list(contents(root))


@searched(max_examples=2)
@given(st.lists(WORDS, min_size=20, max_size=30), st.lists(MARKUP, min_size=20, max_size=30))
def test_a_published_page_says_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], codes: list[str]
) -> None:
    settings = write_handbook(tmp_path_factory.mktemp("words"))
    with (settings.root / "conf.py").open("a") as conf:
        conf.write(CONF)
    written(settings, texts, codes)
    assert build(settings, settings.languages, strict=False, report=lambda _: None) == 0
    page = parse("en/end.html", (settings.site / "en" / "end.html").read_bytes())
    [article] = page.iter("article")
    assert texts_of(article, "section/p") == texts
    [code] = article.iter("pre")
    assert "".join(code.itertext()) == "\n".join(codes) + "\n"
    [drawing] = article.iter("svg")
    assert [each.text for each in drawing.iter("text")] == [each for each in codes for _ in "ab"]
    widths = [each.get("width") for each in drawing.iter("rect")]
    assert widths == [f"{at}.0" for at in range(len(codes))]
    assert drawing.get("viewbox") == "0 0 9.0 9.50"
    assert drawing.get("aria-label") == texts[0]


def test_a_published_page_is_that_of_a_preview_but_for_its_policy(tmp_path: Path) -> None:
    """What is published differs from what Sphinx writes by itself in nothing that can be read."""
    settings = write_handbook(tmp_path)
    written(settings, ["PyTorch 2.0 takes 1.50 s."], ["x = 2.0  # <b>", "PyTorch 2.0"])
    assert build(settings, settings.languages, strict=False, report=lambda _: None) == 0
    preview = built.build(tmp_path)
    for name in ("index", "tour", "end"):
        ours = parse("a.html", (settings.site / "en" / f"{name}.html").read_bytes())
        plain = parse("a.html", preview.text(f"{name}.html").encode())
        assert without_policy(ours) == without_policy(plain)


def test_a_number_in_a_drawing_keeps_its_digits(tmp_path: Path) -> None:
    """A minifier that took "2.0" for a length once made "PyTorch 2" of it."""
    settings = write_handbook(tmp_path)
    written(settings, ["Words."], ["PyTorch 2.0"])
    assert build(settings, settings.languages, strict=False, report=lambda _: None) == 0
    page = (settings.site / "en" / "end.html").read_text(encoding="utf-8")
    assert page.count(">PyTorch 2.0</text>") == 2
