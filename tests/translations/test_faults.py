"""What `translate` does when it is killed, may not write, or is given a great many messages."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from polytab.recordings import atomic
from polytab.translations.catalogs import Catalog, Entry, Template, catalog_path, catalog_text
from polytab.translations.po_parser import read_catalog
from polytab.translations.upkeep import check_catalogs, update_catalogs
from tests.translations.tongues import with_languages

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

TEMPLATES = (Template("tour", (Entry("Tour"),)), Template("end", (Entry("End"),)))
_KILLED = """
import os, signal, sys
from pathlib import Path
from polytab.recordings.atomic import write_atomic
replace = Path.replace
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
write_atomic(Path(sys.argv[1]), b"half")
"""


def test_after_a_kill_the_next_run_is_right(handbook: Settings) -> None:
    settings = with_languages(handbook)
    path = catalog_path(settings, settings.language("zh"), "tour")
    update_catalogs(settings, TEMPLATES, settings.languages[1:])
    before = path.read_bytes()
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.read_bytes() == before
    assert [each.name.endswith(".part") for each in path.parent.glob(".*")] == [True]
    update_catalogs(settings, TEMPLATES, settings.languages[1:])
    assert list(path.parent.glob(".*")) == []
    assert check_catalogs(settings, TEMPLATES) == ()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_one_error(handbook: Settings) -> None:
    settings = with_languages(handbook)
    update_catalogs(settings, TEMPLATES[:1], settings.languages[1:])
    path = catalog_path(settings, settings.language("zh"), "end")
    path.parent.chmod(0o500)
    with pytest.raises(PermissionError) as caught:
        update_catalogs(settings, TEMPLATES, settings.languages[1:])
    path.parent.chmod(0o700)
    assert caught.value.filename == str(path)


def test_what_is_left_of_others_stays(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.part").write_text("theirs")
    (tmp_path / ".abc.part").write_text("ours")
    atomic.remove_unfinished(tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["x.part"]


def test_a_hundred_thousand_messages_are_read_and_followed(handbook: Settings) -> None:
    """Were anything done for each pair of messages, this would take hours."""
    settings = with_languages(handbook)
    many = tuple(Entry(f"m{number}") for number in range(100_000))
    path = catalog_path(settings, settings.language("zh"), "tour")
    path.parent.mkdir(parents=True)
    fields = (("Language", "zh_CN"), ("Content-Type", "text/plain; charset=UTF-8"))
    path.write_text(catalog_text(Catalog(many, fields=fields)), encoding="utf-8")
    catalog = read_catalog(path, "zh_CN")
    assert catalog is not None
    assert len(catalog.entries) == len(many)
    update_catalogs(settings, (Template("tour", many[::-2]),), [settings.language("zh")])
    followed = read_catalog(path, "zh_CN")
    assert followed is not None
    assert len(followed.entries) == len(many) / 2
