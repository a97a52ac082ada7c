"""Sphinx's EPUB, with what it leaves out: which pages hold drawings and formulas.

Reading systems want to know that before they open a page; epubcheck holds us to it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.builders.epub3 import Epub3Builder

from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sphinx.application import Sphinx

_ITEM = re.compile(r'<item [^>]*href="(?P<file>[^"]+)" media-type="application/xhtml\+xml"(?= */>)')
_MATHML = "http://www.w3.org/1998/Math/MathML"
_MATH = re.compile(r"<math(?! xmlns)")
_HELD = {"mathml": "<math", "svg": "<svg"}


class Epub(Epub3Builder):
    """Builds an EPUB whose manifest says what each page holds, and each page its language."""

    def prepare_writing(self, docnames: AbstractSet[str]) -> None:
        """Name the language: it decides on fonts and line breaks."""
        super().prepare_writing(docnames)
        tag = inputs_of(self.env).language(self.env).tag
        named = self.html_tag.replace("<html", f'<html lang="{tag}" xml:lang="{tag}"')
        self.globalcontext["html_tag"] = named

    def build_content(self) -> None:
        """Write the list, and add to each page what it holds; XHTML wants formulas named."""
        for page in Path(self.outdir).rglob("*.xhtml"):
            named = _MATH.sub(f'<math xmlns="{_MATHML}"', page.read_text(encoding="utf-8"))
            page.write_text(named, encoding="utf-8")
        super().build_content()
        path = Path(self.outdir, "content.opf")
        text = path.read_text(encoding="utf-8")
        path.write_text(_ITEM.sub(self._item, text), encoding="utf-8")

    def _item(self, item: re.Match[str]) -> str:
        page = Path(self.outdir, item["file"]).read_text(encoding="utf-8")
        held = " ".join(name for name, tag in _HELD.items() if tag in page)
        return f'{item[0]} properties="{held}"' if held else item[0]


def setup_epub(app: Sphinx) -> None:
    """Replace Sphinx's builder of EPUBs."""
    app.add_builder(Epub, override=True)
