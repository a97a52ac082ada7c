"""Whatever strangers wrote, the browser runs none of it, even with no policy to stop it."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from polytab.model import Provenance
from polytab.recordings.files import save_recording
from polytab.settings import load_settings
from polytab.site.build import build
from polytab.translations.catalogs import Entry
from tests.browser.served import serve
from tests.support.handbook import FILES, job, recording, stream, write, write_handbook
from tests.translations.tongues import LANGUAGES, write_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Open
    from tests.browser.served import Server

MARKUP = (
    "<script>ran()</script><img src=x onerror=ran()><svg onload=ran()></svg>"
    "<a href='javascript:ran()'>link</a><iframe srcdoc='<script>top.ran()</script>'></iframe>"
    "<details open ontoggle=ran()>x</details><math><mtext><table><mglyph><style><img src=x "
    "onerror=ran()></style></mglyph></table></mtext></math><form action='javascript:ran()'>"
    "<button id=go>go</button></form><base href='https://example.org/'>"
    "<meta http-equiv=refresh content='0; url=javascript:ran()'><input autofocus onfocus=ran()>"
)
ESCAPED = "&lt;script&gt;ran()&lt;/script&gt; &quot;&gt;&lt;img src=x onerror=ran()&gt;"
NAME = '"><img src=x onerror=ran()>'
TERMINAL = "\x1b]8;;javascript:ran()\x07link\x1b]8;;\x07\x1b[2J \u202e"
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}'
    "<text>&lt;script&gt;ran()&lt;/script&gt;</text></svg>"
)
ALIVE = '<script>ran()</script><a href="javascript:ran()"><rect onload="ran()"/></a>'
PAGE = f"""\
# {ESCAPED}

Words [one](javascript:ran()), <javascript:ran()>, [two](JaVaScRiPt:ran()), [a](<data:text/html,x>).
{MARKUP}

{MARKUP}

:::{{figure}} good.svg
:alt: '{NAME}'
:target: javascript:ran()

{ESCAPED}
:::

:::{{figure}} bad.svg
:alt: '{NAME}'
:::

![{NAME}](dot.png "{ESCAPED}")

:::{{snippet}} plain
:::

:::{{snippet}} add
:::

```{{toctree}}
{ESCAPED} <javascript://x/%0aran()>
```

```{{code-block}} python
:caption: {ESCAPED}
{MARKUP}
```

[span]{{onclick="ran()" #x" onload="ran()}} and {{abbr}}`{NAME} ({NAME})`.
"""
CODE = f"""\
# %% add
# {MARKUP}
x = "</code></pre>{MARKUP}"
"""
_HOSTILE: list[dict[str, Any]] = [
    stream(f"{MARKUP}{TERMINAL}\n"),
    stream(f"{MARKUP}\n", "stderr"),
    {"output_type": "display_data", "metadata": {}, "data": {"text/html": MARKUP}},
    {"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": SVG.format(MARKUP)}},
    {"output_type": "display_data", "metadata": {}, "data": {"application/javascript": "ran()"}},
    {
        "output_type": "display_data",
        "metadata": {"image/png": {"alt": NAME, "onload": "ran()", "class": f"x{NAME}"}},
        "data": {"image/png": base64.b64encode(b"\x89PNG\r\n\x1a\n<script>ran()").decode()},
    },
    {"output_type": "error", "ename": MARKUP, "evalue": MARKUP, "traceback": [MARKUP, TERMINAL]},
]
_MADE = Provenance(
    python=NAME, package=NAME, version=NAME, hardware=MARKUP, cores=2, system=NAME,
    date="2026-01-02", seconds=1.5,
)  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Build what strangers wrote, complaints or not, and serve it."""
    root = tmp_path_factory.mktemp("hostile")
    write_handbook(root)
    extensions = '["colon_fence", "attrs_inline", "attrs_block", "substitution"]'
    conf = FILES["conf.py"].replace('["colon_fence"]', extensions) + "html_use_index = True\n"
    files = {"docs/tour.md": PAGE, "snippets/tour/torch.py": CODE, "conf.py": conf}
    files["docs/index.md"] = FILES["docs/index.md"].replace("end\n", "end\ngenindex\n")
    files |= {"docs/good.svg": SVG.format(""), "docs/bad.svg": SVG.format(ALIVE)}
    write(root, {**files, "pyproject.toml": FILES["pyproject.toml"] + LANGUAGES})
    (root / "docs" / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    settings = load_settings(root)
    made = recording(job(settings, "tour", "torch"), {"add": _HOSTILE})
    save_recording(settings.recordings, replace(made, provenance=_MADE))
    for code in ("zh", "pt"):
        language = settings.language(code)
        entries = (Entry("End", f"{ESCAPED} {TERMINAL}"), Entry("x", MARKUP))
        write_catalog(settings, language, "end", *entries)
        write_catalog(settings, language, "index", Entry("A Tiny Handbook", ESCAPED))
        write_catalog(settings, language, "snippets/tour", Entry(MARKUP, f"译 {MARKUP}"))
    said: list[str] = []
    assert build(settings, settings.languages, strict=False, report=said.append) == 1
    with serve(settings.site) as server:
        yield server


TRAP = """
window.fired = [];
window.ran = () => fired.push(document.currentScript?.outerHTML ?? new Error().stack);
window.alert = window.ran;
"""
WAKE = """
for (const each of document.querySelectorAll("*")) {
  for (const name of each.getAttributeNames()) {
    if (name.startsWith("on")) fired.push(`${each.tagName} ${name}`);
    const value = each.getAttribute(name).trim().toLowerCase();
    const led = ["href", "src", "action", "formaction", "xlink:href", "content"].includes(name);
    if (led && /^(javascript|data:text|vbscript)/.test(value)) fired.push(value);
  }
  for (const kind of ["click", "focus", "mouseover", "toggle", "load", "error"]) {
    if (each.closest("article")) each.dispatchEvent(new Event(kind, { bubbles: false }));
  }
}
"""


@pytest.mark.parametrize("language", ["en", "zh", "pt"])
@pytest.mark.parametrize("name", ["index", "tour", "end", "genindex"])
def test_nothing_of_it_runs(hostile: Server, open_page: Open, language: str, name: str) -> None:
    with open_page(bypass_csp=True) as page:
        page.add_init_script(TRAP)
        page.goto(hostile.url(name, language))
        page.wait_for_load_state("networkidle")
        page.evaluate(WAKE)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("fired") == []
        assert page.url == hostile.url(name, language)
        assert page.locator("base, iframe, object, embed").count() == 0


def test_it_is_shown_as_the_text_it_is(hostile: Server, open_page: Open) -> None:
    with open_page(bypass_csp=True) as page:
        page.goto(hostile.url("tour", tab="torch"))
        expect(page.locator("article h1")).to_contain_text("<script>ran()</script>")
        expect(page.locator(".snippet-output").first).to_contain_text("<script>ran()</script>")
        expect(page.locator(".provenance").first).to_contain_text("<img src=x onerror=ran()>")
        assert "\x1b" not in page.content()


def test_the_trap_springs(hostile: Server, open_page: Open) -> None:
    with open_page(bypass_csp=True) as page:
        page.add_init_script(TRAP)
        page.goto(hostile.url("end"))
        page.evaluate("document.querySelector('article').innerHTML += '<i onclick=\"ran()\">x</i>'")
        page.evaluate(WAKE)
        assert len(page.evaluate("fired")) == 2
