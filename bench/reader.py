"""How soon a page is there on a slow line and a slow machine: `python bench/reader.py [language]`.

Build the site first. Printed are medians; the goals stand beside them. How long a page is blocked
is told from the processor's time, so that it depends little on what else the machine does.
"""

from __future__ import annotations

import gzip
import shutil
import sys
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Browser, CDPSession, Page

SITE = Path(__file__).parent.parent / "_build" / "site"
PAGES = ("{0}/compilers.html", "{0}/hardware.html", "{0}/index.html", "{0}/translations.html")
ABOVE = ("index.html", "404.html")
RUNS = 5
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
SLOWER = 4
PAINTED, BLOCKED = 2000, 150
LONGEST = 50
WATCH = """
window.painted = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.painted = each.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
"""
TASK, PARSED = "ThreadControllerImpl::RunTask", "ParseHTML"
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


class Handler(SimpleHTTPRequestHandler):
    """Serves files gzipped, as hosts do, and says nothing."""

    def do_GET(self) -> None:
        """Send a file."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name in the base
        """Say nothing."""


def blocked(tracing: CDPSession, page: Page, address: str) -> float:
    """Go to a page; return by how much its tasks, on a slower machine, are longer than is felt."""
    events: list[dict[str, Any]] = []
    tracing.on("Tracing.dataCollected", lambda said: events.extend(said["value"]))
    ended: list[object] = []
    tracing.on("Tracing.tracingComplete", lambda said: ended.extend([said]))
    config = {"includedCategories": ["devtools.timeline", "toplevel"]}
    tracing.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
    page.goto(address, wait_until="load")
    page.wait_for_timeout(500)
    tracing.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    parsed = [each for each in events if each["name"] == PARSED and address in str(each["args"])]
    threads = Counter((each["pid"], each["tid"]) for each in parsed)
    [(thread, _)] = threads.most_common(1)
    tasks: list[float] = [
        each["tdur"] / 1000 * SLOWER
        for each in events
        if each["name"] == TASK and (each["pid"], each["tid"]) == thread and "tdur" in each
    ]
    return sum(max(0.0, each - LONGEST) for each in tasks)


def look(browser: Browser, address: str) -> tuple[float, float]:
    """Open a page afresh twice; return when it was painted and for how long it was blocked."""
    plain = browser.new_context()
    waited = blocked(browser.new_browser_cdp_session(), plain.new_page(), address)
    plain.close()
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(500)
    painted = page.evaluate("window.painted")
    context.close()
    return painted, waited


def main() -> None:
    """Print one line a page."""
    code = sys.argv[1] if len(sys.argv) > 1 else "en"
    names = [*(page.format(code) for page in PAGES), *ABOVE]
    missing = [name for name in names if not (SITE / name).is_file()]
    if missing:
        sys.exit(f"{SITE} has no {', '.join(missing)}: build the site first, `nox -s build`")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(SITE)))
    Thread(target=server.serve_forever, daemon=True).start()
    print(f"medians of {RUNS}; largest paint (goal {PAINTED} ms), blocked (goal {BLOCKED} ms)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in names:
            address = f"http://127.0.0.1:{server.server_port}/{name}"
            runs = [look(browser, address) for _ in range(RUNS)]
            painted, waited = (median(each) for each in zip(*runs, strict=True))
            met = "met" if painted < PAINTED and waited < BLOCKED else "MISSED"
            print(f"{name:28} {painted:6.0f} ms {waited:6.0f} ms  {met}")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
