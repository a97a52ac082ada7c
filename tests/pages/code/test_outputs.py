"""Outputs are shown as the richest type we know, cleaned, and never translated."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from docutils import nodes
from hypothesis import given
from hypothesis import strategies as st
from myst_nb.core.render import NbElementRenderer, load_renderer

from polytab.pages.code.outputs import RENDERED_TYPES, clean
from polytab.pages.code.pictures import clean_svg
from polytab.recordings.files import save_recording
from tests.support.built import Built, build
from tests.support.handbook import job, recording, stream, write, write_handbook
from tests.support.languages_site import build_language
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HOSTILE = """\
<b>kept</b><script>alert(1)</script><style>body { display: none }</style>
<p onclick="alert(1)" style="position: fixed" class="admonition" id="search">text</p>
<a href="javascript:alert(1)">link</a><iframe src="https://example.org"></iframe>
<img src="https://example.org/track.png" onerror="alert(1)"><svg onload="alert(1)"></svg>
<form action="https://example.org"><input name="q"><button>go</button></form>
<table><tr><td>1</td></tr></table>
"""


SVG = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 9 9" onload="alert(1)"><metadata>made by</metadata><script>alert(1)</script>
 <defs><path id="m" d="M 0 0" style="stroke: #000000; fill: url(https://example.org)"/></defs>
 <use xlink:href="#m" style="stroke: red"/><use xlink:href="https://example.org/x.svg#y"/>
 <a xlink:href="javascript:alert(1)"><text>link</text></a><foreignObject><b>x</b></foreignObject>
</svg>"""
SVG_OPEN = '<svg xmlns="http://www.w3.org/2000/svg">'
MARKDOWN = """\
| a | b |
|---|---|
| *1* | <script>alert(1)</script> |

[link](javascript:alert(1)) ![](https://example.org/track.png)

```{include} /etc/passwd
```
"""


def _display(data: dict[str, Any], kind: str = "display_data") -> dict[str, Any]:
    made: dict[str, Any] = {"output_type": kind, "data": data, "metadata": {}}
    return {**made, "execution_count": None} if kind == "execute_result" else made


OUTPUTS: dict[str, list[dict[str, Any]]] = {
    "silent": [],
    "streams": [stream("to stdout <b>\n"), stream("to stderr\n", "stderr")],
    "value": [_display({"text/plain": "array([1, 2])"}, "execute_result")],
    "image": [
        _display({"image/png": base64.b64encode(PNG).decode(), "text/plain": "<Figure size 1x1>"})
    ],
    "html": [_display({"text/html": HOSTILE, "text/plain": "plain twin"})],
    "deep": [_display({"text/html": "<div>" * 300 + "</div>" * 300, "text/plain": "plain twin"})],
    "unknown": [_display({"application/vnd.example+json": {"x": 1}, "text/plain": "plain twin"})],
    "widget": [_display({"application/vnd.jupyter.widget-view+json": {"model_id": "1"}})],
    "terminal": [
        stream(
            "\x1b[31mred\x1b[0m \x1b]8;;https://example.org\x07link\x1b]8;;\x07 a\rb \u202edcba\n"
        ),
        _display({"text/plain": "\x1b[2Jcleared\0"}),
    ],
    "no-picture": [
        _display({"image/png": "a", "text/plain": "plain twin"}),  # no base64
        _display({"image/png": base64.b64encode(b"<svg onload='alert(1)'/>").decode()}),
    ],
    "drawing": [_display({"image/svg+xml": SVG, "text/plain": "<Figure>"})],
    "markdown": [_display({"text/markdown": MARKDOWN, "text/plain": "<Markdown object>"})],
    "latex": [
        _display({"text/latex": r"$\displaystyle x^{2}$", "text/plain": "x**2"}),
        _display({"text/latex": r"$\nonsense$", "text/plain": "plain twin"}),
    ],
    "scripts": [
        _display({"application/javascript": "alert(1)", "text/plain": "plain twin"}),
        _display({"image/svg+xml": "<svg onload='alert(1)'/>"}),
        _display({"text/markdown": "<script>alert(1)</script>"}),
        _display({"text/latex": "$x$"}),
    ],
    "error": [
        {
            "output_type": "error",
            "ename": "ValueError",
            "evalue": "no <value>",
            "traceback": ['  File "cell error", line 1, in <module>', "ValueError: no <value>"],
        }
    ],
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("outputs")
    settings = write_handbook(root)
    calls = "\n\n".join(f":::{{snippet}} {label}\n:::" for label in OUTPUTS)
    cells = "\n\n".join(f"# %% {label}\npass" for label in OUTPUTS)
    write(root, {"docs/tour.md": f"# Tour\n\n{calls}\n", "snippets/tour/python.py": cells})
    save_recording(settings.recordings, recording(job(settings, "tour", "python"), OUTPUTS))
    return root


@pytest.fixture(scope="module")
def site(root: Path) -> Built:
    return build(root)


def _box(built: Built, label: str) -> Tag:
    boxes = built.page("tour").select("div.snippet")
    assert len(boxes) == len(OUTPUTS)
    return boxes[list(OUTPUTS).index(label)]


def _output(built: Built, label: str) -> Tag:
    [output] = _box(built, label).select(".snippet-output")
    return output


def test_no_kind_of_output_brings_a_warning(site: Built) -> None:
    assert site.complaints("tour") == {}
    assert "tour.md" not in site.warnings


def test_a_silent_cell_has_no_output(site: Built) -> None:
    assert _box(site, "silent").select(".snippet-output") == []
    assert len(_box(site, "silent").select(".provenance")) == 1


def test_streams_are_shown_as_they_were_printed_and_told_apart(site: Built) -> None:
    out, err = _output(site, "streams").select("div.highlight")
    assert out.get_text() == "to stdout <b>\n"
    assert err.get_text() == "to stderr\n"
    assert out.find_parent(class_="stderr") is None
    assert err.find_parent(class_="stderr") is not None


def test_a_value_is_shown_as_text(site: Built) -> None:
    assert _output(site, "value").get_text().strip() == "array([1, 2])"


def test_an_image_is_a_file_of_the_site(site: Built) -> None:
    [image] = _output(site, "image").select("img")
    source = str(image["src"])
    assert "Figure" not in _output(site, "image").get_text()
    assert (site.app.outdir / source).read_bytes() == PNG


def test_an_image_says_what_it_is_the_output_of(site: Built) -> None:
    [image] = _output(site, "image").select("img")
    assert image["alt"] == "Output of image in Python"


def test_an_image_says_so_in_the_language_of_the_page(tmp_path: Path) -> None:
    settings = with_languages(write_handbook(tmp_path / "book"))
    image = OUTPUTS["image"]
    save_recording(settings.recordings, recording(job(settings), {"add": image}))
    [found] = build_language(settings, "zh").page("tour").select(".snippet-output img")
    assert found["alt"] == "add在PyTorch中的输出"


def test_an_error_is_shown_with_its_traceback(site: Built) -> None:
    text = _output(site, "error").get_text()
    assert text.strip().splitlines()[-1] == "ValueError: no <value>"


def test_markup_is_cleaned(site: Built) -> None:
    output = _output(site, "html")
    assert output.select("b, p, td")
    assert output.select("script, style, iframe, img, svg, form, input, button") == []
    allowed = {"href", "rel"}
    inside = output.select("b, p, a, table, table *")
    assert {name for element in inside for name in element.attrs} <= allowed
    assert "javascript" not in str(output)
    assert "example.org" not in str(output)
    assert "alert" not in output.get_text()


PIECES = [*re.split(r"(<|>|\"|=| )", HOSTILE), "<<", "<!--", "]]>"]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_whatever_the_markup_no_script_comes_through(text: str) -> None:
    cleaned = clean(text)
    assert not re.search(r"<(script|style|iframe|img|svg|form)|<[^>]*\son\w+=", cleaned)
    assert clean(cleaned) == cleaned


def test_commands_to_a_terminal_are_left_out(site: Built) -> None:
    out, value = _output(site, "terminal").select("div.highlight")
    assert out.get_text() == "red link ab dcba\n"
    assert value.get_text() == "cleared\n"


def test_what_is_no_picture_is_not_shown_as_one(site: Built) -> None:
    assert _output(site, "no-picture").select("img, svg") == []
    first, *_, last = _output(site, "no-picture").get_text().strip().split("\n")
    assert first == "plain twin"
    assert last == "An output of type image/png cannot be shown on a page."


def test_markup_that_is_nested_without_end_is_not_shown(site: Built) -> None:
    assert _output(site, "deep").get_text().strip() == "plain twin"


def test_types_that_could_run_or_fetch_are_never_rendered(site: Built) -> None:
    output = _output(site, "scripts")
    assert output.select("script, svg, img") == []
    assert output.get_text().strip().startswith("plain twin")
    assert "<script>alert(1)</script>" in output.get_text()


def test_an_unknown_type_is_shown_by_its_plain_twin(site: Built) -> None:
    assert _output(site, "unknown").get_text().strip() == "plain twin"


def test_an_output_of_unknown_types_alone_says_so(site: Built) -> None:
    said = "An output of type application/vnd.jupyter.widget-view+json cannot be shown on a page."
    assert _output(site, "widget").get_text().strip() == said


def test_a_drawing_is_a_picture_of_shapes_alone(site: Built) -> None:
    [image] = _output(site, "drawing").select("img")
    [svg] = (site.app.outdir / "_images").glob("*.svg")
    assert str(image["src"]).endswith(svg.name)
    drawn = svg.read_text(encoding="utf-8")
    kinds = [element.tag.rpartition("}")[2] for element in ET.XML(drawn).iter()]
    assert kinds == ["svg", "defs", "path", "use", "use"]
    assert "stroke: red" in drawn
    assert not re.search(r"alert|example\.org|on\w+=|made by", drawn)


@pytest.mark.parametrize(
    "text",
    [
        *("", "<svg", "<p/>", "<svg/>", SVG_OPEN),
        f"{SVG_OPEN}{'<g>' * 5000}{'</g>' * 5000}</svg>",
        f'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>{SVG_OPEN}&a;</svg>',
    ],
)
def test_what_is_no_drawing_is_left_out(text: str) -> None:
    assert clean_svg(text) is None


def test_markdown_is_rendered_without_markup_or_directives_of_its_own(site: Built) -> None:
    output = _output(site, "markdown")
    assert [each.get_text() for each in output.select("td")] == ["1", "<script>alert(1)</script>"]
    assert output.select("script, img") == []
    assert not any("javascript" in str(each.get("href")) for each in output.select("a"))
    assert "root:" not in output.get_text()


def test_a_formula_is_mathml_where_it_can_be_read(site: Built) -> None:
    output = _output(site, "latex")
    assert len(output.select("math")) == 1
    assert "plain twin" in output.get_text()
    assert "nonsense" not in output.get_text()


@pytest.mark.parametrize("builder", ["gettext", "linkcheck", "text", "epub"])
def test_every_builder_takes_every_kind_of_output(root: Path, builder: str) -> None:
    assert "tour.md" not in build(root, builder).warnings


def test_no_output_is_a_message(root: Path) -> None:
    catalog = build(root, "gettext").text("tour.pot")
    assert set(re.findall(r'^msgid "(.+)"$', catalog, re.MULTILINE)) == {"Tour"}


def test_every_node_of_an_output_says_that_it_is_not_translated(site: Built) -> None:
    marked = [
        node
        for box in site.doctree("tour").findall(nodes.container)
        if type(box).__name__ == "snippet_output"
        for child in box.children
        for node in child.findall(nodes.Element)
    ]
    assert marked
    assert all(node["translatable"] is False for node in marked)


def test_outputs_are_not_coloured_as_programs(site: Built) -> None:
    for label in ("streams", "value", "error"):
        assert _output(site, label).select("pre span[class]") == []


def test_the_renderer_of_myst_nb_is_the_one_we_know(site: Built) -> None:
    """Fails where MyST-NB changes what we call: its renderer, by name and by arguments."""
    renderer = load_renderer(site.app.config.nb_render_plugin)
    assert issubclass(renderer, NbElementRenderer)
    for name in ("render_stdout", "render_stderr", "render_error"):
        assert callable(getattr(renderer, name))
    assert RENDERED_TYPES[-1] == "text/plain", "what every output can fall back to"
