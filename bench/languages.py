"""How long each language of this handbook takes to build, beside English.

Run it with `python bench/languages.py`. A copy of the handbook is built in a temporary folder, one
language after the other: cold, then warm, with one translation changed. A translated build should
take at most twice as long as the English one.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from polytab.settings import load_settings
from polytab.site.build import compile_translations
from polytab.site.sphinx import arguments
from polytab.translations.catalogs import catalog_path, catalog_text
from polytab.translations.po_parser import read_catalog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Language
    from polytab.settings import Settings

ROOT = Path(__file__).parents[1]
ROUNDS = 3
PAGE = "index"


@dataclass(frozen=True)
class Took:
    """What one build took; the CPU's share is steadier where a machine has other work."""

    wall: float
    cpu: float


def copied(folder: Path) -> Settings:
    """Copy what a build reads, and none of what it made."""
    source = load_settings(ROOT)
    inputs = (source.docs, source.snippets, source.environments, source.recordings)
    for path in (*inputs, source.translations):
        shutil.copytree(path, folder / path.relative_to(ROOT))
    for name in ("pyproject.toml", "conf.py"):
        shutil.copy(ROOT / name, folder)
    return load_settings(folder)


def build(settings: Settings, language: Language) -> Took:
    """Build one language's pages as `polytab site` does, catalogs included."""
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    own = time.process_time()
    compile_translations(settings, [language])
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q"]
    command += arguments(settings, language, settings.build / "html" / language.code)
    subprocess.run(command, check=True, cwd=settings.root)
    own = time.process_time() - own
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Took(time.perf_counter() - started, own + spent)


def touch(settings: Settings, language: Language) -> None:
    """Take one translation out of a catalog."""
    path = catalog_path(settings, language, PAGE)
    catalog = read_catalog(path, language.locale)
    if catalog is None:
        sys.exit(f"{path}: there is no catalog to change")
    last = next(each for each in reversed(catalog.entries) if each.translation)
    entries = tuple(replace(each, translation="") if each is last else each
                    for each in catalog.entries)  # fmt: skip
    path.write_text(catalog_text(replace(catalog, entries=entries)), encoding="utf-8")


def told(name: str, runs: Sequence[Took], english: Sequence[Took]) -> str:
    """Say in a line what the builds of one language took."""
    wall, cpu = median(run.wall for run in runs), median(run.cpu for run in runs)
    ratio = cpu / median(run.cpu for run in english)
    return f"{name}: {wall:.1f} s, {cpu:.1f} CPU s, {ratio:.2f} times the English"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        settings = copied(Path(folder))
        cold: dict[str, list[Took]] = {language.code: [] for language in settings.languages}
        warm: dict[str, list[Took]] = {language.code: [] for language in settings.languages[1:]}
        for _ in range(ROUNDS):  # interleaved, so that a busy minute falls on all of them
            for language in settings.languages:
                shutil.rmtree(settings.build, ignore_errors=True)
                cold[language.code].append(build(settings, language))
                if language != settings.source_language:
                    touch(settings, language)
                    warm[language.code].append(build(settings, language))
    english = cold[settings.source_language.code]
    for code, runs in cold.items():
        print(told(f"{code}, cold", runs, english))
    for code, runs in warm.items():
        print(told(f"{code}, one translation changed", runs, english))


if __name__ == "__main__":
    main()
