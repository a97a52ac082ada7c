"""An e-book has no content policy, so nothing in it may run or fetch in the first place."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from polytab.recordings.files import save_recording
from tests.support.built import build
from tests.support.handbook import job, record, recording, stream, write

if TYPE_CHECKING:
    from polytab.settings import Settings

MARKUP = '<script>ran()</script><img src="https://example.org/x.png" onerror="ran()"><b>kept</b>'
PAGE = f"""# Tour

{MARKUP}

[words](javascript:ran()) ![words](https://example.org/x.png)

```{{figure}} bad.svg
:target: javascript:ran()

Words
```

:::{{snippet}} add
:::
"""
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="ran()">'
    '<script>ran()</script><rect style="position: fixed"/></svg>'
)
LOADS = ("src", "poster", "data", "{http://www.w3.org/1999/xlink}href")


@pytest.mark.filterwarnings("ignore:'polytab.export.books.epub.Epub.app' is deprecated")
def test_nothing_in_an_ebook_runs_or_fetches(handbook: Settings) -> None:
    conf = (handbook.root / "conf.py").read_text(encoding="utf-8")
    extended = conf.replace('["polytab.pages"]', '["polytab.pages", "polytab.export"]')
    write(handbook.root, {"conf.py": extended, "docs/tour.md": PAGE, "docs/bad.svg": DRAWING})
    record(handbook)
    shown = {"output_type": "display_data", "metadata": {}, "data": {"text/html": MARKUP}}
    save_recording(handbook.recordings, recording(job(handbook), {"add": [stream(MARKUP), shown]}))
    site = build(handbook.root, "epub")
    pages = sorted(site.app.outdir.rglob("*.xhtml"))
    assert any(path.stem == "tour" for path in pages)
    for path in pages:
        for element in ET.fromstring(path.read_bytes()).iter():  # noqa: S314  # we have written it
            name = str(element.tag).rpartition("}")[2]
            assert name not in {"script", "iframe", "object", "embed", "form", "base"}, path
            for key, value in element.attrib.items():
                assert not key.lower().startswith("on"), (path, key)
                assert not value.strip().lower().startswith("javascript:"), (path, key)
                assert key not in LOADS or "//" not in value, (path, value)
    assert "<b>kept</b>" in site.text("tour.xhtml")
