"""The server of a preview, asked as a browser would, and by a page of another host."""

from __future__ import annotations

import socket
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest

from polytab.site.live.server import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "secret.txt").write_text("secret")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "tour.html").write_text("<p>Tour</p>")
    with serving(pages) as server:
        yield server.server_port


def _asked(port: int, path: str, host: str | None = None) -> tuple[int, str, dict[str, str]]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), dict(answer.getheaders())
    connection.close()
    return found


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_its_own_pages_are_answered_also_by_a_port_that_is_forwarded(port: int, name: str) -> None:
    for host in (f"{name}:{port}", f"{name}:8000"):
        code, text, headers = _asked(port, "/tour.html", host)
        assert code == 200
        assert "<p>Tour</p>" in text
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example:80", "localhost.evil:1", ":"],
)
def test_who_calls_it_by_another_name_gets_nothing(port: int, host: str) -> None:
    """So a name that a stranger has lead to this machine opens no page to the stranger's script."""
    for path in ("/tour.html", "/", "/-/built?after=0"):
        code, text, _ = _asked(port, path, host)
        assert code == 421
        assert "Tour" not in text


@pytest.mark.parametrize(
    "path",
    [
        *("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//127.0.0.1/../secret.txt"),
        *(
            "/%5c..%5csecret.txt",
            "/tour.html%00.txt",
            "/none.html",
            "http://[/",
            "/;/../secret.txt",
        ),
    ],
)
def test_no_path_leads_out_and_none_is_a_traceback(
    port: int, path: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as asking:
        asking.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        answer = asking.makefile("rb").read()
    assert answer.split(b" ")[1] in {b"400", b"404"}, answer
    assert b"secret\n" not in answer
    assert not answer.endswith(b"secret")
    assert capfd.readouterr().err == ""
