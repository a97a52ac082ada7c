"""Names of frameworks and of the book are in no catalog, and on every page."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from babel.messages.pofile import read_po
from sphinx.locale import translators

from polytab.settings import load_settings
from tests.support.built import build
from tests.support.handbook import FILES, record, write
from tests.translations.tongues import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

INDEX = """\
# A Tiny Handbook

About A Tiny Handbook, and PyTorch.

## PyTorch

| MXNet | text |
|---|---|
| PyTorch | *PyTorch* |

```{toctree}
tour
end
```
"""


def _built(root: Path, builder: str, language: str) -> Built:
    chinese = LANGUAGES.replace('"zh-CN"', '"zh-CN"\ntitle = "小手册"')
    write(root, {**FILES, "pyproject.toml": FILES["pyproject.toml"] + chinese})
    write(root, {"docs/index.md": INDEX})
    record(load_settings(root))
    translators.clear()  # Sphinx keeps those of the last language for the whole process
    return build(root, builder, language=language)


def test_no_catalog_asks_for_them(tmp_path: Path) -> None:
    built = _built(tmp_path, "gettext", "en")
    messages = {
        message.id
        for path in built.app.outdir.rglob("*.pot")
        for message in read_po(BytesIO(path.read_bytes()))
        if message.id
    }
    assert {"About A Tiny Handbook, and PyTorch.", "text", "*PyTorch*", "Tour"} <= messages
    assert messages.isdisjoint({"A Tiny Handbook", "PyTorch", "MXNet", "Python"})


def test_the_book_has_its_title_in_the_language_of_the_page(tmp_path: Path) -> None:
    page = _built(tmp_path, "html", "zh_CN").page("index")
    assert [each.find(string=True) for each in page.select("h1, h2")] == ["小手册", "PyTorch"]
    assert not page.select("h1.untranslated, h2.untranslated")
    assert page.select("p.untranslated")
