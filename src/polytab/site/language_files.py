"""Where the files of each language lie: as Sphinx has written them, or as they were published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.pages.frame.head import FEED
from polytab.site.sphinx import written_folder

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings


@dataclass(frozen=True)
class LanguageFiles:
    """The files of all languages, by their paths in the site."""

    written: dict[str, Path]
    """Those of the languages that are built now; not all of them will be published."""

    kept: dict[str, Path]
    """Those of the others, as they were published; without feeds, which are made anew or gone."""

    @property
    def everything(self) -> dict[str, Path]:
        """The files of both kinds."""
        return self.kept | self.written


def language_files(settings: Settings, languages: Container[Language]) -> LanguageFiles:
    """Find the files of the languages that are built now, and what is kept of the others."""
    written: dict[str, Path] = {}
    kept: dict[str, Path] = {}
    for each in settings.languages:
        if each in languages:
            written |= files_in(written_folder(settings, each), each.code)
        else:
            kept |= files_in(settings.site / each.code, each.code)
            kept.pop(f"{each.code}/{FEED}", None)
    return LanguageFiles(written, kept)


def files_in(folder: Path, code: str) -> dict[str, Path]:
    """Return the files below `folder`, keyed by `<code>/<path in folder>`."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {f"{code}/{path.relative_to(folder).as_posix()}": path for path in paths}


def page_sources(settings: Settings) -> dict[str, Path]:
    """Return the source of each page that people wrote, by the page's name."""
    found = sorted(path for path in settings.docs.rglob("*.md") if path.is_file())
    return {path.relative_to(settings.docs).with_suffix("").as_posix(): path for path in found}
