"""Outputs are shown as the richest type we know, cleaned, and never translated."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

import pytest
from docutils import nodes
from hypothesis import given
from hypothesis import strategies as st
from myst_nb.core.render import NbElementRenderer, load_renderer

from polytab.pages.code.outputs import RENDERED_TYPES, clean
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
    assert _output(site, "no-picture").get_text().strip() == "plain twin"


def test_types_that_could_run_or_fetch_are_never_rendered(site: Built) -> None:
    assert _output(site, "scripts").select("script, svg") == []
    assert _output(site, "scripts").get_text().strip() == "plain twin"


def test_an_unknown_type_is_shown_by_its_plain_twin(site: Built) -> None:
    assert _output(site, "unknown").get_text().strip() == "plain twin"


def test_an_output_of_unknown_types_alone_is_not_shown(site: Built) -> None:
    assert _box(site, "widget").select(".snippet-output") == []


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
