"""README's picture of a page, light and dark: `nox -s picture`.

The pages are built from the recordings and one place of them is shown to Chromium. Beside
the pictures lies the digest of the files that make a page look as it does, so that a test can say,
without a browser, whether the pictures are still of these pages.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "contributing" / "pictures"
DIGEST = FOLDER / "look.txt"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAGE, FRAMEWORK = "hardware", "tensorflow"
TOP = "#gather-tensorflow"
"""What stands at the top of the picture, below ROOM pixels of what is before it."""

WIDTH, HEIGHT, ROOM = 1200, 1184, 116
_LOOK = ("theme/*.html", "theme/static/*", "pages/*/static/*", "search/static/*")
"""The templates, stylesheets, scripts and icons of a page, in the engine's folder."""


def digest_of_look() -> str:
    """Return the digest of the files that make a page look as it does."""
    engine = ROOT / "src" / "polytab"
    files = sorted(path for each in _LOOK for path in engine.glob(each) if path.is_file())
    digest = sha256()
    for path in files:
        digest.update(f"{path.relative_to(engine)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def take() -> None:
    """Build the pages, and take the pictures of an English one."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # the test has no browser

    subprocess.run([sys.executable, "-m", "polytab", "site"], cwd=ROOT, check=True)
    page = ROOT / "_build" / "site" / "en" / f"{PAGE}.html"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for scheme in SCHEMES:
            shown = browser.new_page(
                color_scheme=scheme,
                reduced_motion="reduce",
                viewport={"width": WIDTH, "height": HEIGHT},
            )
            shown.goto(f"{page.as_uri()}?tab={FRAMEWORK}")
            shown.wait_for_selector("html:not(.arriving)")
            shown.locator(TOP).evaluate(
                "(each, room) => scrollTo(0, each.getBoundingClientRect().top + scrollY - room)",
                ROOM,
            )
            shown.wait_for_timeout(500)  # what follows the scrolling has followed
            shown.screenshot(path=FOLDER / f"page-{scheme}.png")
        browser.close()
    DIGEST.write_text(f"{digest_of_look()}\n", encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    take()
