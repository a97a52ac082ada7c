"""A link of the built site leads somewhere, in every language; other hosts are asked on demand."""

from __future__ import annotations

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from polytab.site import links
from polytab.site.links import ask, broken_links, outside_links
from tests.support.handbook import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.settings import Settings

GOOD = """\
<a href="other.html">x</a> <a href="other.html#there">x</a> <a href="#here">x</a>
<a href="#">x</a> <a href="?tab=jax#here">x</a> <a href="../index.html">x</a> <a href="..">x</a>
<a href="https://example.org/nowhere#x">x</a> <a href="mailto:a@example.org">x</a>
<a name="named"></a> <a href="#named">x</a> <a href="caf%C3%A9.html#%C3%A9">x</a>
<img src="dot.png"> <a href="../zh/index.html">not built</a>
<h2 id="here">Here</h2>
"""


def _write(settings: Settings, page: str) -> None:
    files = {
        "index.html": "<p>top</p>",
        "en/index.html": page,
        "en/other.html": '<p id="there">there</p>',
        "en/café.html": '<p id="é">there</p>',
        "en/dot.png": "",
    }
    write(settings.site, files)


def _said(settings: Settings) -> list[tuple[str, int | None, str]]:
    found = broken_links(settings)
    return [
        (each.file.relative_to(settings.site).as_posix(), each.line, each.message)
        for each in found
    ]  # fmt: skip


@pytest.fixture
def chinese(handbook: Settings) -> Settings:
    """The tiny handbook with a language that is not built."""
    [english] = handbook.languages
    return replace(handbook, languages=(english, replace(english, code="zh")))


def test_good_links_bring_no_complaint(chinese: Settings) -> None:
    _write(chinese, GOOD)
    assert _said(chinese) == []


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
    ],
)  # fmt: skip
def test_a_link_that_leads_nowhere_is_told_once_with_its_line(
    handbook: Settings, link: str, message: str
) -> None:
    _write(handbook, f"<p>one</p>\n{link}two</a>\n{link}again</a>\n")
    assert _said(handbook) == [("en/index.html", 2, message)]


def test_the_address_of_the_site_itself_is_inside(handbook: Settings) -> None:
    settings = replace(handbook, address="https://book.example/deep")
    good = "".join(
        f'<a href="{each}">x</a>'
        for each in ("https://book.example/deep/en/other.html#there", "/deep/en/other.html",
                     "https://book.example/deep", "https://book.example/deeper")
    )  # fmt: skip
    _write(settings, f'{good}\n<a href="https://book.example/deep/en/gone.html">x</a>')
    message = "`https://book.example/deep/en/gone.html` leads nowhere: there is no en/gone.html"
    assert _said(settings) == [("en/index.html", 2, message)]


def test_addresses_of_other_hosts_are_listed_once(handbook: Settings) -> None:
    _write(handbook, '<a href="https://b.example/#x">\n<a href="https://a.example">\n' * 2)
    assert outside_links(handbook) == {
        "https://a.example": ("en/index.html", 2),
        "https://b.example/": ("en/index.html", 1),
    }


class _Host(BaseHTTPRequestHandler):
    def do_GET(self) -> None:  # its name in the base
        """Have one page."""
        self.send_response(200 if self.path == "/there" else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name in the base
        """Say nothing."""


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(links, "_PAUSE", 0)
    with HTTPServer(("127.0.0.1", 0), _Host) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_another_host_is_asked(host: str) -> None:
    assert ask(f"{host}/there") is None
    assert ask(f"{host}/gone") == "answers 404 Not Found"


def test_a_host_that_is_not_there_is_told(host: str) -> None:
    del host
    assert str(ask("http://127.0.0.1:1/")).startswith("cannot be reached: ")
