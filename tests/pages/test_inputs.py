"""A page is read again exactly when something it shows has changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from polytab.pages.inputs import Inputs
from polytab.recordings.files import save_recording
from tests.support.built import Built, build
from tests.support.handbook import (
    FILES,
    job,
    record,
    recording,
    stream,
    write,
    write_handbook,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.settings import Settings

HELPED = '# %% last\nimport helper\nprint("the end")\n'
RENAMED = FILES["pyproject.toml"].replace("A Tiny", "An Old")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>flow</text></svg>\n'
DRAWING = f":::{{figure}} flow.svg\n:alt: Flow\n\nA flow.\n:::\n\n{FILES['docs/tour.md']}"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Write a handbook whose last page uses a helper and data, and build it once."""
    settings = write_handbook(tmp_path_factory.mktemp("inputs"))
    block = '# /// polytab\n# data = ["deep/points.csv"]\n# ///\n'
    write(
        settings.root,
        {
            "docs/flow.svg": SVG,
            "snippets/helper.py": "x = 1\n",
            "snippets/end/python.py": block + HELPED,
            "snippets/end/deep/points.csv": "1,2\n",
        },
    )
    record(settings)
    assert set(_build(settings).read) == {"index", "tour", "end"}
    return settings


def _build(settings: Settings) -> Built:
    return build(settings.root, "dummy")


def _write(name: str, text: str) -> Callable[[Settings], None]:
    return lambda settings: write(settings.root, {name: text})


def _write_old(name: str, text: str) -> Callable[[Settings], None]:
    """Write a file as an archive does that is unpacked: its clock tells of long ago."""

    def write_old(settings: Settings) -> None:
        write(settings.root, {name: text})
        os.utime(settings.root / name, (1_000_000_000, 1_000_000_000))

    return write_old


def _save(*, overlay: bool) -> Callable[[Settings], None]:
    def save(settings: Settings) -> None:
        made = recording(job(settings, "end", "python"), {"last": [stream(f"{overlay}\n")]})
        save_recording(settings.overlay if overlay else settings.recordings, made)

    return save


CHANGES: dict[str, tuple[Callable[[Settings], None], set[str]]] = {
    "nothing": (lambda _: None, set()),
    "prose": (_write("docs/index.md", "# New\n\n```{toctree}\ntour\nend\n```\n"), {"index"}),
    "old prose": (_write_old("docs/tour.md", f"# Old\n\n{DRAWING}"), {"tour"}),
    "an old drawing": (_write_old("docs/flow.svg", SVG.replace("flow", "old")), {"tour"}),
    "a setting": (_write("pyproject.toml", RENAMED), {"index", "tour", "end"}),
    "what conf.py does": (_write("conf.py", f"{FILES['conf.py']}#\n"), {"index", "tour", "end"}),
    "code": (_write("snippets/tour/mxnet.py", "# %% add\nprint(4)\n"), {"tour"}),
    "a comment": (_write("snippets/tour/mxnet.py", "# %% add\nprint(4)  # four\n"), {"tour"}),
    "a new framework": (_write("snippets/end/torch.py", "# %% last\nprint(4)\n"), {"end"}),
    "a recording": (_save(overlay=False), {"end"}),
    "an overlay": (_save(overlay=True), {"end"}),
    "a helper": (_write("snippets/helper.py", "x = 2\n"), {"tour", "end"}),
    "a new helper": (_write("snippets/other.py", "x = 2\n"), {"tour", "end"}),
    "data": (_write("snippets/end/deep/points.csv", "3,4\n"), {"end"}),
    "pins": (_write("environments/mxnet.txt", "# python: 3.11\nipykernel==7.3.0\n"), {"tour"}),
    "a script that breaks": (_write("snippets/end/torch.py", "x = (\n"), {"end"}),
    "and stays broken": (lambda _: None, set()),
    "and is mended": (_write("snippets/end/torch.py", "# %% last\nprint(4)\n"), {"end"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_page_is_read_again_when_what_it_shows_changed(settings: Settings, change: str) -> None:
    make, expected = CHANGES[change]
    make(settings)
    assert set(_build(settings).read) == expected
    assert _build(settings).read == ()


def test_a_title_that_changes_is_seen_on_every_page_with_snippets(settings: Settings) -> None:
    path = settings.root / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"MXNet"', '"Apache MXNet"'), encoding="utf-8")
    assert "tour" in _build(settings).read


def test_a_page_has_its_scripts_in_the_order_of_the_settings(handbook: Settings) -> None:
    found = Inputs(handbook).scripts("tour")
    assert [each.job.script.framework for each in found] == ["python", "torch", "mxnet"]
    assert Inputs(handbook).scripts("no such page") == ()


def test_scripts_are_read_once_a_build(handbook: Settings) -> None:
    inputs = Inputs(handbook)
    before = inputs.scripts("tour")
    write(handbook.root, {"snippets/tour/torch.py": "x = (\n"})
    assert inputs.scripts("tour") is before
