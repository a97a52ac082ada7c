"""A drawing stands in the page, named by its alternative text; it can run and fetch nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from polytab.pages.drawing import DrawingError, read_drawing, readable_width
from tests.support.built import Built, build
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="90">'
FLOW = f"""<?xml version="1.0"?>
<!-- a comment -->
{OPEN}
<defs><marker id="tip"><path d="M0 0"/></marker></defs>
<path d="M0 0" marker-end="url(#tip)"/>
<text>weights &amp; more</text><text class="code">kept = w</text><text>3</text>
</svg>
"""
PAGE = """\
# Tour

:::{{figure}} {name}
:name: fig-flow
:alt: {alt}

The flow of the data.
:::

As {{numref}}`fig-flow` shows.
"""
ALT = 'Data <flows> & "ends"'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    settings = write_handbook(tmp_path)
    with (tmp_path / "conf.py").open("a", encoding="utf-8") as file:
        file.write("numfig = True\n")
    write(tmp_path, {"docs/end.md": "# End\n", "docs/flow.svg": FLOW})
    write(tmp_path, {"docs/tour.md": PAGE.format(name="flow.svg", alt=ALT)})
    return settings.root


def _figure(built: Built) -> Tag:
    [figure] = built.page("tour").select("figure")
    return figure


def test_a_drawing_stands_in_the_page_with_its_name(root: Path) -> None:
    site = build(root)
    figure = _figure(site)
    [svg] = figure.select("svg")
    assert figure.select("img") == []
    assert svg["role"] == "img"
    assert svg["aria-label"] == ALT
    assert svg["viewbox"] == "0 0 9 9"
    assert svg["width"] == "7", "its text, of 16 units, has 11 px then"
    assert "<flows>" not in str(figure)
    assert "comment" not in str(figure)
    assert site.warnings == ""


def test_a_figure_keeps_its_number_and_caption(root: Path) -> None:
    site = build(root)
    [caption] = _figure(site).select("figcaption")
    assert caption.get_text().split("#")[0].strip().startswith("Fig. 1")
    assert "The flow of the data." in caption.get_text()
    assert "As Fig. 1 shows." in site.page("tour").get_text()


def test_a_figure_with_a_link_keeps_it(root: Path) -> None:
    linked = PAGE.format(name="flow.svg", alt=ALT).replace(":alt:", ":target: end\n:alt:", 1)
    write(root, {"docs/tour.md": linked.replace("target: end", "target: https://example.org")})
    site = build(root)
    assert site.warnings == ""
    assert [each["href"] for each in _figure(site).select("a:has(svg)")] == ["https://example.org"]


def test_a_link_around_a_picture_that_is_refused_goes_with_it(root: Path) -> None:
    page = "# Tour\n\n```{figure} ../x.svg\n:target: https://example.org\n\nWords\n```\n"
    write(root, {"docs/tour.md": page})
    site = build(root)
    assert site.complaints("tour").keys() == {3}
    assert _figure(site).select("a[href^=http]") == []


def test_two_drawings_of_a_page_do_not_meet_in_their_ids(root: Path) -> None:
    page = PAGE.format(name="flow.svg", alt=ALT) + "\n![Again](other.svg)\n"
    write(root, {"docs/other.svg": FLOW, "docs/tour.md": page})
    article = build(root).page("tour")
    ids = [str(each["id"]) for each in article.select("svg [id]")]
    assert len(set(ids)) == len(ids) == 2
    used = {str(path["marker-end"]) for path in article.select("svg [marker-end]")}
    assert used == {f"url(#{each})" for each in ids}


def test_a_drawing_used_twice_does_not_meet_itself(root: Path) -> None:
    page = PAGE.format(name="flow.svg", alt=ALT) + "\n![Again](flow.svg)\n"
    write(root, {"docs/tour.md": page})
    article = build(root).page("tour")
    assert [each["id"] for each in article.select("svg [id]")] == ["flow-tip", "flow-2-tip"]
    used = [each["marker-end"] for each in article.select("svg [marker-end]")]
    assert used == ["url(#flow-tip)", "url(#flow-2-tip)"]


def test_labels_and_the_alternative_text_are_messages_and_code_is_not(root: Path) -> None:
    catalog = build(root, "gettext").text("tour.pot")
    messages = set(re.findall(r'^msgid "(.+)"$', catalog, re.MULTILINE))
    assert {"weights & more", ALT.replace('"', r"\"")} <= messages
    assert not messages & {"kept = w", "3", "a comment"}


def test_a_page_is_read_again_when_its_drawing_changes(root: Path) -> None:
    assert "tour" in build(root).read
    assert build(root).read == ()
    write(root, {"docs/flow.svg": FLOW.replace("weights", "numbers")})
    again = build(root)
    assert again.read == ("tour",)
    assert "numbers" in _figure(again).get_text()


@pytest.mark.parametrize("builder", ["text", "epub"])
def test_other_builders_take_a_page_with_a_drawing(root: Path, builder: str) -> None:
    assert "flow.svg" not in build(root, builder).warnings


def test_an_image_that_is_no_drawing_stays_an_image(root: Path) -> None:
    write(root, {"docs/photo.png": "not really", "docs/end.md": "# End\n\n![Photo](photo.png)\n"})
    [image] = build(root).page("end").select("img")
    assert image["alt"] == "Photo"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no drawing", "flow.svg: is not XML"),
        (f"{OPEN}<script>1</script></svg>", "flow.svg: <script> is not a shape or text"),
        (None, "flow.svg: "),
    ],
)
def test_a_drawing_that_cannot_be_shown_is_told_with_its_place(
    root: Path, text: str | None, complaint: str
) -> None:
    (root / "docs" / "flow.svg").unlink()
    if text is not None:
        write(root, {"docs/flow.svg": text})
    site = build(root)
    assert re.search(rf"docs/tour\.md:3: WARNING: {re.escape(complaint)}", site.warnings)
    assert _figure(site).select("svg") == []


@pytest.mark.parametrize(
    "text",
    [
        '<html xmlns="http://www.w3.org/1999/xhtml"/>',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        f"{OPEN}<script>alert(1)</script></svg>",
        f"{OPEN}<style>* {{ display: none }}</style></svg>",
        f"{OPEN}<image/></svg>",
        f"{OPEN}<foreignObject/></svg>",
        f'{OPEN}<script xmlns="http://www.w3.org/1999/xhtml"/></svg>',
        f'{OPEN}<path onload="alert(1)"/></svg>',
        f'{OPEN}<a href="https://example.org"/></svg>',
        f'{OPEN}<path xmlns:x="http://www.w3.org/1999/xlink" x:href="#a"/></svg>',
        f'{OPEN}<path fill="url(https://example.org/a.svg#b)"/></svg>',
        f"{OPEN}<path fill=\"url( 'https://example.org/a.svg#b')\"/></svg>",
        f'{OPEN}<path style="background: URL(//example.org)"/></svg>',
        f'{OPEN}<path fill="javascript:alert(1)"/></svg>',
        f'{OPEN}<path style="fill: u\\72l(https:example.org)"/></svg>',
        f'{OPEN}<path style="position: fixed; inset: 0"/></svg>',
        f'{OPEN}<path style="p\\6fsition: fixed"/></svg>',
        f'{OPEN}<path style="fill: red;/* */POSITION:fixed"/></svg>',
        f'{OPEN}<path style="@import x"/></svg>',
        f'{OPEN}<path style="{{}} fill: red"/></svg>',
        f"{OPEN}<g>{OPEN}</svg></g></svg>",
        f"{OPEN}{'<g>' * 50_000}{'</g>' * 50_000}</svg>",
        f"{OPEN}{'<g>' * 60}{'</g>' * 60}</svg>",
        f"{OPEN}<desc>{'x' * 1_000_001}</desc></svg>",
        f'<?xml version="1.0" encoding="no-such"?>{OPEN}</svg>',
        OPEN.replace(">", ' overflow="visible"></svg>'),
    ],
)
def test_a_drawing_runs_and_fetches_nothing(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"bad.svg": text})
    with pytest.raises(DrawingError):
        read_drawing(tmp_path / "bad.svg", "bad")


def test_a_drawing_that_keeps_the_rules_is_read(tmp_path: Path) -> None:
    styled = '<path style="fill: none; /* thin */ stroke: var(--ink); stroke-width:1" d=""/>'
    deep = f"{'<g>' * 38}{styled}{'</g>' * 38}</svg>"
    write(tmp_path, {"flow.svg": FLOW.replace("</svg>", deep)})
    root = read_drawing(tmp_path / "flow.svg", "flow")
    assert [each.get("id") for each in root.iter() if "id" in each.attrib] == ["flow-tip"]


NARROW = (
    OPEN.replace("0 0 9 9", "0 0 4.5 9") + '<text font-size="5.5">weights &amp; more</text></svg>'
)


def test_a_drawing_for_narrow_screens_stands_beside_the_wide_one(root: Path) -> None:
    write(root, {"docs/flow.narrow.svg": NARROW})
    site = build(root)
    assert site.warnings == ""
    wide, narrow = _figure(site).select(".drawing-box > svg")
    assert (wide["class"], narrow["class"]) == (["drawing", "wide"], ["drawing", "narrow"])
    assert wide["aria-label"] == narrow["aria-label"] == ALT
    assert narrow["viewbox"] == "0 0 4.5 9"


def test_a_drawing_that_changes_is_read_again_and_so_is_one_that_comes_or_goes(root: Path) -> None:
    build(root)
    write(root, {"docs/flow.narrow.svg": NARROW})
    assert len(_figure(build(root)).select("svg")) == 2
    (root / "docs" / "flow.narrow.svg").unlink()
    assert len(_figure(build(root)).select("svg")) == 1


def test_the_narrow_one_says_nothing_that_the_wide_one_does_not(root: Path) -> None:
    write(root, {"docs/flow.narrow.svg": NARROW.replace("more", "others")})
    said = build(root).warnings
    assert "`weights & others` stands in flow.narrow.svg alone" in said


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("<text>a</text>", 62),
        ('<g font-size="10"><text>a</text></g>', 99),
        ('<g font-size="20"><text>a</text><text font-size="5px">b</text></g>', 198),
        ('<text font-size="0">a</text><text font-size="2em">a</text>', 62),
        ('<text font-size="2"> </text>', 62),
    ],
    ids=["usual", "inherited", "smallest", "not read", "empty"],
)
def test_a_drawing_is_so_wide_that_its_smallest_text_can_be_read(
    tmp_path: Path, text: str, width: int
) -> None:
    file = tmp_path / "a.svg"
    head = OPEN.replace("0 0 9 9", "0 0 90 9")
    file.write_text(f"{head}{text}</svg>", encoding="utf-8")
    assert readable_width(read_drawing(file, "a")) == width


@pytest.mark.parametrize(
    "box", ["", "0 0 9", "0 0 9 a", "0 0 1e9 9", "0 0 99999999 9", "0 0 9 9 9"]
)
def test_a_view_box_of_anything_but_four_numbers_is_refused(tmp_path: Path, box: str) -> None:
    file = tmp_path / "a.svg"
    file.write_text(f"{OPEN.replace('0 0 9 9', box)}</svg>", encoding="utf-8")
    with pytest.raises(DrawingError, match="viewBox"):
        read_drawing(file, "a")


@pytest.mark.parametrize("box", ["0 0 9 9", " -1.5, 0 ,9,9 ", "0,0,9,9"])
def test_a_view_box_of_four_numbers_is_read(tmp_path: Path, box: str) -> None:
    file = tmp_path / "a.svg"
    file.write_text(f"{OPEN.replace('0 0 9 9', box)}</svg>", encoding="utf-8")
    assert readable_width(read_drawing(file, "a")) == 7
