"""`polytab live`: a preview in a process of its own, asked over HTTP as a browser would."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from polytab.export.links import DOWNLOADS
from polytab.translations.catalogs import catalog_path
from tests.support.handbook import record, write
from tests.support.sealed import seal
from tests.support.traces import eventually, processes
from tests.support.translated import put, write_translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from polytab.settings import Settings
    from tests.cli.said import Said

LONG = 120
"""Seconds for what takes two or three where nothing else is running."""


class Preview:
    """A running `polytab live` and what it has said."""

    def __init__(self, process: subprocess.Popen[str], settings: Settings) -> None:
        self.process, self.settings = process, settings
        self.lines: list[str] = []
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines.extend(self.process.stdout)

    def said(self, pattern: str, after: int = 0) -> str:
        """Wait until it has said a line; return that."""
        found = re.compile(pattern)

        def matching() -> list[str]:
            return [line for line in self.lines[after:] if found.search(line)]

        assert eventually(lambda: bool(matching()) or self.process.poll() is not None, LONG)
        assert matching(), "".join(self.lines)
        return matching()[0]

    @property
    def address(self) -> str:
        [address] = re.findall(r"http://127\.0\.0\.1:\d+/", self.said("open http"))
        return str(address)

    def get(self, path: str) -> tuple[int, str]:
        with urlopen(f"{self.address}{path}", timeout=LONG) as answer:  # noqa: S310  # ours
            return answer.status, answer.read().decode()

    def page(self, name: str) -> str:
        return self.get(f"{name}.html")[1]

    def save(self, name: str, text: str, built: str = "built in") -> str:
        """Save a file; return the line that tells of the build that this led to."""
        before = len(self.lines)
        write(self.settings.root, {name: text})
        return self.said(f"{re.escape(Path(name).name)}.* changed: .*{built}", before)

    def ended(self, number: int) -> tuple[int, str]:
        """Send it a signal; return its exit code, and all that it has said."""
        self.process.send_signal(number)
        code = self.process.wait(LONG)
        self._reader.join(LONG)
        return code, "".join(self.lines)


@contextmanager
def preview(settings: Settings, *words: str) -> Iterator[Preview]:
    """Start `polytab live`; when the block ends it is ended, and has left no process behind."""
    with (
        tempfile.TemporaryDirectory(prefix="pt-") as scratch,
        subprocess.Popen(
            [sys.executable, "-m", "polytab", "live", *words],
            cwd=settings.root,
            env={**os.environ, "TMPDIR": scratch, "BROWSER": "true"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process,
    ):
        try:
            yield Preview(process, settings)
        finally:
            process.terminate()
            process.wait(LONG)
            assert eventually(lambda: processes(Path(scratch)) == [])


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = write_translated(tmp_path_factory.mktemp("live") / "site")
    put(settings.root / "conf.py", '"polytab.pages"', '"polytab.pages", "polytab.export"')
    seal(settings, "python")
    return settings


@pytest.fixture(scope="module")
def chinese(translated: Settings) -> Iterator[Preview]:
    """The preview that most of these tests share, because the first build is slow."""
    with preview(translated, "zh") as running:
        assert running.address
        yield running


def test_a_translation_that_is_saved_is_seen(chinese: Preview) -> None:
    settings = chinese.settings
    catalog = catalog_path(settings, settings.language("zh"), "tour")
    text = catalog.read_text(encoding="utf-8")
    [said] = re.findall(r'msgid "Every snippet runs."\nmsgstr "(.+)"', text)
    assert f">{said}<" in chinese.page("tour")
    line = chinese.save(str(catalog.relative_to(settings.root)), text.replace(said, f"今天{said}"))
    assert f">今天{said}<" in chinese.page("tour")
    assert re.search(r"tour\.po changed: .*\btour\b.* built in \d+\.\d s$", line)
    assert "speed" not in line


def test_a_refused_translation_is_told_and_the_next_one_shown(chinese: Preview) -> None:
    settings = chinese.settings
    catalog = catalog_path(settings, settings.language("zh"), "tour")
    name, text = str(catalog.relative_to(settings.root)), catalog.read_text(encoding="utf-8")
    before = len(chinese.lines)
    chinese.save(name, re.sub(r'(msgid "Every snippet runs."\nmsgstr ")', r"\1<script>", text))
    assert "tour.po:" in "".join(chinese.lines[before:])
    assert "Every snippet runs." in chinese.page("tour")
    chinese.save(name, text)
    assert "Every snippet runs." not in chinese.page("tour")


def test_a_page_with_a_fault_is_told_with_its_line_and_the_server_lives_on(
    chinese: Preview,
) -> None:
    text = (chinese.settings.docs / "tour.md").read_text(encoding="utf-8")
    before = len(chinese.lines)
    chinese.save("docs/tour.md", f"{text}\n:::{{no-such-thing}}\n:::\n\nNewly written.\n")
    assert re.search(r"tour\.md:\d+: .*no-such-thing", "".join(chinese.lines[before:]))
    assert "Newly written." in chinese.page("tour")
    chinese.save("docs/tour.md", text)
    assert "Newly written." not in chinese.page("tour")


def test_settings_that_stop_sphinx_stop_no_server(chinese: Preview) -> None:
    conf = (chinese.settings.root / "conf.py").read_text(encoding="utf-8")
    page = (chinese.settings.docs / "tour.md").read_text(encoding="utf-8")
    write(chinese.settings.root, {"conf.py": f"{conf}\nraise ValueError('of no use')\n"})
    before = len(chinese.lines)
    chinese.save("docs/tour.md", f"{page}\nOnce more.\n", "with an error: see above")
    assert "of no use" in "".join(chinese.lines[before:])
    write(chinese.settings.root, {"conf.py": conf})
    chinese.save("docs/tour.md", page)


def test_a_script_that_is_saved_is_run_and_one_that_fails_is_told(chinese: Preview) -> None:
    name = "snippets/tour/python.py"
    text = (chinese.settings.root / name).read_text(encoding="utf-8")
    chinese.save(name, f"{text}\nprint('fresh' + 'ly baked')\n")
    assert "freshly baked" in chinese.page("tour")
    before = len(chinese.lines)
    chinese.save(name, f"{text}\nraise ValueError('half' + 'baked')\n")
    assert "halfbaked" in "".join(chinese.lines[before:])
    chinese.save(name, text)
    assert chinese.page("tour")


def test_an_open_page_learns_of_a_build_at_once_and_of_one_it_has_missed(chinese: Preview) -> None:
    page = (chinese.settings.docs / "tour.md").read_text(encoding="utf-8")
    [known] = re.findall(r'<script data-after="(\d+)">', chinese.page("tour"))
    answers: list[int] = []
    asking = Thread(target=lambda: answers.append(chinese.get(f"-/built?after={known}")[0]))
    asking.start()
    chinese.save("docs/tour.md", f"{page}\nA line for those who wait.\n")
    asking.join(10)
    assert answers == [200]
    assert chinese.get(f"-/built?after={known}")[0] == 200
    chinese.save("docs/tour.md", page)


def test_a_preview_makes_no_downloads_and_knows_of_no_other_files(chinese: Preview) -> None:
    assert f'href="{DOWNLOADS}/tour-' in chinese.page("tour")
    assert not (chinese.settings.build / "live" / "zh" / DOWNLOADS).exists()
    for path in (
        "../../../pyproject.toml",
        "%2e%2e/%2e%2e/%2e%2e/pyproject.toml",
        f"{DOWNLOADS}/x.py",
    ):
        with pytest.raises(HTTPError, match="404"):
            chinese.get(path)


def test_two_languages_are_served_at_once_and_one_only_once(
    chinese: Preview, monkeypatch: pytest.MonkeyPatch, polytab: Callable[..., Said]
) -> None:
    with preview(chinese.settings, "pt") as second:
        assert second.address != chinese.address
        assert '<html lang="pt-BR"' in second.page("tour")
        monkeypatch.chdir(chinese.settings.root)
        said = polytab("live", "zh")
        assert said.code == 1
        assert "`zh` is being served already" in said.err
        assert chinese.address in said.err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_it_in_one_line(handbook: Settings, number: int, code: int) -> None:
    record(handbook)
    with preview(handbook) as running:
        assert running.address
        ended, said = running.ended(number)
    assert ended == code
    assert said.endswith("end with Ctrl-C\ninterrupted: what was recorded before is kept\n")


def test_an_interrupt_while_it_builds_leaves_nothing_that_is_taken_for_built(
    handbook: Settings,
) -> None:
    record(handbook)
    with preview(handbook) as running:
        assert running.said("en: building")
        code, said = running.ended(signal.SIGINT)
    assert code == 130
    assert "Traceback" not in said
    with preview(handbook) as running:
        assert "plain" in running.page("tour")


def test_who_wants_no_snippet_run_sees_the_page_without_its_output(handbook: Settings) -> None:
    with preview(handbook, "en", "--no-record") as running:
        assert "Tour" in running.page("tour")
        write(handbook.root, {"snippets/end/python.py": "# %% last\nprint('another')\n"})
        running.said(r"python\.py changed: .* built in")
    assert not any("scripts:" in line for line in running.lines)
    assert not handbook.overlay.exists()


def test_what_it_has_started_ends_even_where_it_was_killed(handbook: Settings) -> None:
    record(handbook)
    with preview(handbook) as running:
        assert running.said("en: building")
        assert running.ended(signal.SIGKILL)[0] == -signal.SIGKILL


def test_a_preview_that_cannot_be_written_is_a_failure(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    write(handbook.build, {"live": "where its pages would be written, there is a file\n"})
    said = polytab("live")
    assert said.code == 1
    assert "live" in said.err
