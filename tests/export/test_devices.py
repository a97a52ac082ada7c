"""What is taken away was made on the CPU, as it is to run anywhere; an e-book names both."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.recordings.files import save_recording
from tests.export.trip import write_trip
from tests.support.handbook import job, recording, stream, write
from tests.support.languages_site import build_language
from tests.support.numbers_site import EAGER_WINS, USUALLY, output

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings
    from tests.support.built import Built

SAID = "\n{measured}`forward: compiled` is what a pass takes.\n:::{snippet} load"


@pytest.fixture
def trip(tmp_path: Path) -> Settings:
    """Give a page that also tells a number in a sentence."""
    settings = write_trip(tmp_path / "site")
    text = (settings.docs / "trip.md").read_text(encoding="utf-8")
    write(settings.docs, {"trip.md": text.replace("\n:::{snippet} load", SAID)})
    return settings


def _record_cuda(settings: Settings) -> None:
    pinned = (settings.environments / "torch.txt").read_text(encoding="utf-8")
    write(settings.environments, {"torch.cuda.txt": pinned})
    made = job(settings, "trip", "torch", "cuda")
    shown = {cell.label: [stream("from the GPU\n")] for cell in made.script.cells}
    shown["forward"] = [stream("from the GPU\n"), output("forward", EAGER_WINS, USUALLY)]
    save_recording(settings.recordings, recording(made, shown))


def _ebook(settings: Settings, builder: str) -> Path:
    """Run a builder of e-books, as `polytab export` does; a warning is an error."""
    out = settings.build / builder
    command = [sys.executable, "-m", "sphinx", "-b", builder, "-q", "-W", "-c", str(settings.root)]
    command += ["-d", str(settings.build / "doctrees" / builder)]
    subprocess.run([*command, str(settings.docs), str(out)], check=True)
    return out


def _taken(built: Built) -> dict[str, str]:
    assert built.warnings == ""
    folder = built.app.outdir / "downloads"
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_what_is_taken_away_has_not_a_byte_of_cuda(trip: Settings) -> None:
    before = _taken(build_language(trip, "en"))
    _record_cuda(trip)
    shutil.rmtree(trip.root.with_name("en-html"))
    built = build_language(trip, "en")
    assert "from the GPU" in built.text("trip.html")
    assert _taken(built) == before
    assert "100 µs is what" in before["trip-torch.py"].replace("\N{NO-BREAK SPACE}", " ")


def test_the_switch_stands_below_the_chooser_and_above_what_is_taken(trip: Settings) -> None:
    _record_cuda(trip)
    page = build_language(trip, "en").page("trip")
    [switch] = page.select(".chooser + .tab-absence + .device-switch")
    following = switch.find_next_sibling("div")
    assert following is not None
    assert following["class"] == ["downloads", "downloads-chosen"]


def test_a_copy_in_markdown_names_what_each_device_has_made(trip: Settings) -> None:
    _record_cuda(trip)
    _ebook(trip, "epub")
    text = (trip.build / "markdown" / "trip.md").read_text(encoding="utf-8")
    text = text.replace("\N{NO-BREAK SPACE}", " ")
    assert "100 µs (CPU) / 80.0 µs (CUDA) is what a pass takes." in text
    cpu, cuda = (
        text.index("**CPU**\n\n```text\nload"),
        text.index("**CUDA**\n\n```text\nfrom the GPU"),
    )
    assert cpu < cuda
    assert text.index("CUDA 13.0: NVIDIA H100, driver 580.1", cuda) > cuda
    assert "Compiling costs." in text[text.rindex("**CUDA**", 0, text.index("## The far end")) :]


@pytest.mark.parametrize("builder", ["epub", "singlehtml"])
def test_an_ebook_shows_both_devices_and_has_nothing_to_choose_with(
    trip: Settings, builder: str
) -> None:
    _record_cuda(trip)
    file = "trip.xhtml" if builder == "epub" else "index.html"
    written = (_ebook(trip, builder) / file).read_text(encoding="utf-8")
    page = BeautifulSoup(written, "html.parser")
    assert page.select(".device-switch, script[src*=devices], .device-part[hidden]") == []
    titles = {each.get_text() for each in page.select(".device-title")}
    assert titles == {"CPU", "CUDA"}
    assert page.select("link[href*='devices.css']")
