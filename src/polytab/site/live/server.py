"""The server of a preview: the files of a folder, on this machine and for its own pages alone.

Law, guarded by tests/cli/test_live_server.py: it answers nobody who calls it by another name, as a
page of another host does that has its own name lead here, and gives no file of another folder.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Condition, Thread
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCRIPT = Path(__file__).parents[1] / "templates" / "live.js"
_HOST = "127.0.0.1"
_NAMES = (_HOST, "localhost")
"""What a browser on this machine may call it."""

_BUILT = "/-/built"
"""What a page asks, to be answered when there was a build after the one that it knows."""

_ANSWER_TIMEOUT = 25
"""Seconds until such a question is answered whatever happens, as networks forget quiet ones."""


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve a folder while the block lasts."""
    with Server(folder) as server:
        Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class Server(ThreadingHTTPServer):
    """A server of a folder on this machine alone; it knows how often its pages were built."""

    def __init__(self, folder: Path) -> None:
        """Take any free port."""
        self.builds = 1
        self.built = Condition()
        super().__init__((_HOST, 0), partial(_Handler, directory=str(folder)))

    @property
    def address(self) -> str:
        """Where its pages are."""
        return f"http://{_HOST}:{self.server_port}/"

    def tell(self) -> None:
        """Have every page that is looked at loaded again."""
        with self.built:
            self.builds += 1
            self.built.notify_all()

    def wait_for_build(self, after: str) -> bool:
        """Wait until there was a build after that one; tell whether there was."""
        with self.built:
            return self.built.wait_for(lambda: str(self.builds) != after, _ANSWER_TIMEOUT)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing where a browser has gone before it was answered."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # any socket


class _Handler(SimpleHTTPRequestHandler):
    """Answers with the files of a folder; each page ends with the script that loads it again."""

    server: Server

    def parse_request(self) -> bool:
        """Read what is asked for; who asks another host, or for no path at all, gets an error."""
        if not super().parse_request():
            return False
        named = self.headers.get("Host", "").rpartition(":")[0]  # its port may be forwarded
        if named not in _NAMES:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "This is another host")
            return False
        if not self.path.startswith("/") or "\0" in unquote(self.path):
            self.send_error(HTTPStatus.BAD_REQUEST, "This is no path")
            return False
        return True

    def do_GET(self) -> None:
        """Answer whether there was a build, or with a file."""
        asked = urlsplit(self.path)
        if asked.path != _BUILT:
            super().do_GET()
            return
        [after] = parse_qs(asked.query).get("after", [""])[:1]
        there = self.server.wait_for_build(after)
        self.send_response(HTTPStatus.OK if there else HTTPStatus.NO_CONTENT)
        self.end_headers()

    def send_head(self) -> BinaryIO | BytesIO | None:
        """Send the head of an answer and return its body."""
        path = Path(self.translate_path(self.path))
        if path.is_dir() and urlsplit(self.path).path.endswith("/"):
            path /= "index.html"
        if path.suffix != ".html" or not path.is_file():
            return super().send_head()
        script = (
            f'<script data-after="{self.server.builds}">\n{_SCRIPT.read_text("utf-8")}</script>\n'
        )
        try:
            page = path.read_bytes() + script.encode()
        except OSError:  # it is being written anew, or somebody clears the folder
            self.send_error(HTTPStatus.NOT_FOUND, "File not found")
            return None
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return BytesIO(page)

    def end_headers(self) -> None:
        """Have browsers ask each time whether a file is the same, and keep it from other hosts."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing: what is asked for is no news to anybody."""
