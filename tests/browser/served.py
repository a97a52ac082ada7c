"""The handbook of tests/sites/reader, really built and served on loopback."""

from __future__ import annotations

import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from polytab.model import CUDA
from polytab.recordings.files import save_recording
from polytab.recordings.plan import find_recording
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from polytab.site.build import build
from tests.support.ebooks import lay_ebooks
from tests.support.handbook import recording, stream

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

ROOT = Path(__file__).parent.parent.parent
_PARTS = ("docs", "environments", "recordings", "snippets", "translations")
_SITE = Path(__file__).parent.parent / "sites" / "reader"

LONG = "a line that is longer than any page is wide, so that its box must scroll, " * 4
ERROR = {
    "output_type": "error",
    "ename": "ValueError",
    "evalue": "jax says traced",
    "traceback": ["Traceback (most recent call last):", LONG, "ValueError: jax says traced"],
}
SAID = {
    "tour/torch": {"add": [stream("torch 190\n"), stream(f"{LONG}\n", "stderr")]},
    "tour/jax": {"say": [ERROR]},
}
"""What the cells of these scripts said; all others said their label."""


def build_site(to: Path, on_cuda: Collection[str] = ()) -> Path:
    """Build a copy of the handbook in its languages and return the folder that is published.

    It offers files that stand for e-books.

    The scripts of `on_cuda` are recorded there too; a cell says so, and of which framework it is.
    """
    settings = load_settings(Path(shutil.copytree(_SITE, to / "reader")))
    for script in load_scripts(settings):
        made = find_recording(settings, script).job
        save_recording(settings.recordings, recording(made, SAID.get(script.name)))
        if script.name in on_cuda:
            text = [stream(f"{script.framework} from CUDA\n")]
            said = {cell.label: text for cell in script.cells}
            there = find_recording(settings, script, CUDA).job
            save_recording(settings.recordings, recording(there, said))
    lay_ebooks(settings)
    complaints: list[str] = []
    assert build(settings, settings.languages, strict=True, report=complaints.append) == 0
    return settings.site


def build_handbook(to: Path) -> Path:
    """Build the handbook from what is committed, and files that stand for its e-books.

    Returns the folder that is published.
    """
    for name in _PARTS:
        shutil.copytree(ROOT / name, to / name)
    for name in ("conf.py", "pyproject.toml"):
        shutil.copy(ROOT / name, to / name)
    settings = load_settings(to)
    lay_ebooks(settings)
    said: list[str] = []
    assert build(settings, settings.languages, strict=False, report=said.append) == 0, said
    return settings.site


class Server(ThreadingHTTPServer):
    """Serves a folder; a page asked for with `?hold=text` is held back before that text."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.go_on = threading.Event()
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))

    def top(self, path: str) -> str:
        """Return the address of a file above the languages."""
        return f"http://127.0.0.1:{self.server_port}{path}"

    def url(self, page: str, language: str = "en", anchor: str = "", **query: str) -> str:
        """Return the address of a page."""
        tail = f"?{urlencode(query)}" if query else ""
        tail += f"#{anchor}" if anchor else ""
        return f"http://127.0.0.1:{self.server_port}/{language}/{page}.html{tail}"


class _Handler(SimpleHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        """Send a file, or one half of it and, once the test says so, the other."""
        asked = urlsplit(self.path)
        if asked.path == "/favicon.ico":  # what browsers ask for of themselves
            self.send_response(204)
            self.end_headers()
            return
        held = parse_qs(asked.query).get("hold")
        if held is None:
            super().do_GET()
            return
        content = (self.server.folder / asked.path.lstrip("/")).read_bytes()
        first, _, _ = content.partition(held[0].encode())
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(first)
        self.wfile.flush()
        self.server.go_on.wait(timeout=60)
        self.wfile.write(content[len(first) :])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name in the base
        """Say nothing."""


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Serve a folder while the block runs."""
    with Server(folder) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
