"""A link of the built site leads somewhere, in every language; other hosts are asked on demand."""

from __future__ import annotations

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from polytab.site.links import ask_hosts, broken_links
from polytab.site.page import read_page
from tests.support.handbook import write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from polytab.settings import Settings

GOOD = """\
<a href="other.html">x</a> <a href="other.html#there">x</a> <a href="#here">x</a>
<a href="#">x</a> <a href="?tab=jax#here">x</a> <a href="../index.html">x</a> <a href="..">x</a>
<a href="https://example.org/nowhere#x">x</a> <a href="mailto:a@example.org">x</a>
<a name="named"></a> <a href="#named">x</a> <a href="caf%C3%A9.html#%C3%A9">x</a>
<img src="dot.png"> <a href="../zh/index.html">not built</a>
<h2 id="here">Here</h2>
"""


def _said(
    settings: Settings,
    page: str,
    sheet: str = "",
    other: Mapping[str, str] | None = None,
    languages: int = 1,
) -> list[tuple[str, int | None, str]]:
    """Say what is wrong with the links of a page, or of a stylesheet, of a small site."""
    pages = {
        "index.html": "<p>top</p>",
        "en/index.html": page,
        "en/other.html": '<p id="there">there</p>',
        "en/café.html": '<p id="é">there</p>',
        **(other or {}),
    }
    read = {path: read_page(path, text.encode()) for path, text in pages.items()}
    files = {path: text.encode() for path, text in pages.items()}
    files |= {"en/dot.png": b"", "en/a.css": sheet.encode()}
    return [
        (each.file.relative_to(settings.site).as_posix(), each.line, each.message)
        for each in broken_links(settings, settings.languages[:languages], read, files)
    ]


@pytest.fixture
def chinese(handbook: Settings) -> Settings:
    """The tiny handbook with a language that is not built."""
    [english] = handbook.languages
    return replace(handbook, languages=(english, replace(english, code="zh")))


def test_good_links_bring_no_complaint(chinese: Settings) -> None:
    assert _said(chinese, GOOD, "p { background: url(dot.png) }") == []


def test_a_page_that_a_language_has_not_yet_is_no_complaint_before_that_is_built(
    chinese: Settings,
) -> None:
    """The language was built before the page `tour` came, and before `end` had the anchor."""
    page = '<a href="../zh/tour.html">x</a> <a href="../zh/end.html#new">x</a>'
    other = {"zh/index.html": '<a href="../en/left.html">x</a>', "zh/end.html": "<p>old</p>"}
    assert _said(chinese, page, other=other) == []
    nowhere = "`../zh/gone.html` leads nowhere: there is no zh/gone.html"
    gone = '<a href="../zh/gone.html">x</a>'
    assert _said(chinese, gone, other=other) == [("en/index.html", 1, nowhere)]
    assert _said(chinese, page, other=other, languages=2) == [
        ("en/index.html", 1, "`../zh/tour.html` leads nowhere: there is no zh/tour.html"),
        ("en/index.html", 1, "`../zh/end.html#new` leads nowhere: zh/end.html has no `new`"),
        ("zh/index.html", 1, "`../en/left.html` leads nowhere: there is no en/left.html"),
    ]


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ('<a href="gone.html">', "`gone.html` leads nowhere: there is no en/gone.html"),
        ('<a href="other.html#no">', "`other.html#no` leads nowhere: en/other.html has no `no`"),
        ('<a href="#gone">', "`#gone` leads nowhere: en/index.html has no `gone`"),
        ('<img src="gone.png">', "`gone.png` leads nowhere: there is no en/gone.png"),
        ('<link href="../../x.css">', "`../../x.css` leads nowhere: there is no ../x.css"),
        ('<a href="/other.html">', "`/other.html` leads nowhere: there is no other.html"),
        ('<a href="../nl/">', "`../nl/` leads nowhere: there is no nl"),
        ('<script src="gone.js">', "`gone.js` leads nowhere: there is no en/gone.js"),
        ('<p data-runtime="gone.js">', "`gone.js` leads nowhere: there is no en/gone.js"),
        ('<a href="//[">', "`//[` is no address"),
    ],
)  # fmt: skip
def test_a_link_that_leads_nowhere_is_told_once_with_its_line(
    handbook: Settings, link: str, message: str
) -> None:
    page = f"<p>one</p>\n{link}two</a>\n{link}again</a>\n"
    assert _said(handbook, page) == [("en/index.html", 2, message)]


def test_a_file_that_a_stylesheet_lacks_is_told_with_its_line(handbook: Settings) -> None:
    message = "`deep/gone.png` leads nowhere: there is no en/deep/gone.png"
    sheet = 'p {\n background: url("deep/gone.png") }'
    assert _said(handbook, "", sheet) == [("en/a.css", 2, message)]


def test_the_address_of_the_site_itself_is_inside(handbook: Settings) -> None:
    settings = replace(handbook, address="https://book.example/deep")
    good = "".join(
        f'<a href="{each}">x</a>'
        for each in ("https://book.example/deep/en/other.html#there", "/deep/en/other.html",
                     "https://book.example/deep", "https://book.example/deeper")
    )  # fmt: skip
    message = "`https://book.example/deep/en/gone.html` leads nowhere: there is no en/gone.html"
    gone = '<a href="https://book.example/deep/en/gone.html">x</a>'
    assert _said(settings, f"{good}\n{gone}") == [("en/index.html", 2, message)]


class _Host(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # its name in the base
        """Have one page."""
        self.send_response(200 if self.path == "/there" else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name in the base
        """Say nothing."""

    do_HEAD = do_GET  # noqa: N815  # the same


@pytest.fixture
def host() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), _Host) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_host_that_answers_is_well(
    handbook: Settings, host: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write(handbook.root, {"docs/end.md": f"# End\n\nGo [there]({host}/there).\n"})
    assert ask_hosts(handbook) == 0
    assert capfd.readouterr().err == ""


def test_an_address_that_no_host_has_is_told_with_its_line(
    handbook: Settings, host: str, capfd: pytest.CaptureFixture[str]
) -> None:
    gone = f"# End\n\nGo [there]({host}/there).\n\nOr [here]({host}/gone).\n"
    write(handbook.root, {"docs/end.md": gone})
    assert ask_hosts(handbook) == 1
    said = capfd.readouterr().err
    assert f"{handbook.docs / 'end.md'}:5: WARNING: broken link: {host}/gone (404" in said
    assert "/there" not in said
