"""The verbs that begin a book, and choose the versions that it runs with."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.cli.console import complain, escape, out, say
from polytab.errors import InstallError, UsageError, command
from polytab.model import CPU, Environment
from polytab.scripts.pins import pins_path, read_environment, wanted_packages, why_not
from polytab.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Framework, Language
    from polytab.settings import Settings

_KERNEL = "ipykernel"
_PYTHON = re.compile(r"3\.\d+")
_PACKAGE = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9._,-]+\])?(?:[<>=!~]=?[\w.,<>=!~*+-]+)?"
)
_LONGEST = 60
"""Characters of a folder's name: file systems take 255 bytes, and a character has up to four."""

_SHOWN = "Contents"
"""The message of a new book that Sphinx itself has in most languages."""


def new(options: Namespace) -> int:
    """Write a new book into a folder that is empty or not there; 1 where pins are missing."""
    from polytab.recordings.atomic import write_atomic
    from polytab.starter import book_files, frameworks_of, languages_of, title_of

    title = title_of(options.title)
    frameworks = frameworks_of(options.frameworks)
    languages = languages_of(options.languages)
    folder = options.folder or Path(_folder_name(title))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        msg = f"{folder} is there already, and a new book writes over nothing"
        raise UsageError(msg, hint="name another folder: --in FOLDER")
    for name, text in book_files(title, frameworks, languages).items():
        write_atomic(folder / name, text.encode())
    settings = load_settings(folder)
    pinned = [_pin(settings, each.name) for each in frameworks]
    if not all(pinned):
        say(f"then {command('translate')} makes the catalogs of its other languages")
        return 1
    _translate(settings)
    say(f"`cd {folder}`; there {command('build')} runs the scripts and makes the pages")
    return 0


def _folder_name(title: str) -> str:
    """Return the title as a folder is called: `Data, Measured` -> data-measured."""
    name = "-".join(re.findall(r"[^\W_]+", title.lower()))[:_LONGEST].strip("-")
    if not name:
        msg = f"`{title}` gives no name for a folder"
        raise UsageError(msg, hint="name one: --in FOLDER")
    return name


def _pin(settings: Settings, framework: str) -> bool:
    """Pin an environment; where that fails say why, and how to do it later."""
    try:
        pin_framework(settings, framework)
    except InstallError as error:
        complain(error)
        say(f"{command('pin', framework)} does it again, in that folder")
        return False
    return True


def _translate(settings: Settings) -> None:
    """Write the catalogs of the other languages, each with one message translated."""
    from polytab.cli.translating import update_interface
    from polytab.pages.translated.places import with_lines
    from polytab.translations.templates import extract
    from polytab.translations.upkeep import update_catalogs

    others = settings.languages[1:]
    if others:
        update_catalogs(settings, with_lines(settings, extract(settings)), others)
        for language in others:
            _translate_one(settings, language)
    update_interface(settings)


def _translate_one(settings: Settings, language: Language) -> None:
    """Translate the heading of the contents as Sphinx does, where Sphinx knows the language."""
    from polytab.pages.frame.languages import word_of_sphinx
    from polytab.recordings.atomic import write_atomic
    from polytab.translations.catalogs import catalog_path, catalog_text
    from polytab.translations.po_parser import read_catalog

    word = word_of_sphinx(language.locale, _SHOWN)
    path = catalog_path(settings, language, "index")
    catalog = read_catalog(path, language.locale)
    if word is None or catalog is None:
        return
    entries = tuple(
        replace(each, translation=word) if each.source == _SHOWN else each
        for each in catalog.entries
    )
    write_atomic(path, catalog_text(replace(catalog, entries=entries)).encode())


def pin(settings: Settings, options: Namespace) -> int:
    """Make or change the pinned file of a framework; say what became of each package."""
    if _pins(settings, options) and settings.snippets.is_dir():
        say(f"{command('record', options.framework)} runs its scripts with them")
    return 0


def _pins(settings: Settings, options: Namespace) -> bool:
    """Do the same, and return whether the file is another one now."""
    from polytab.runner.pin import resolve, write_pins

    framework = settings.framework(options.framework)
    before = _before(settings, framework, options)
    packages = _packages(framework, before, options)
    python = options.python or before.python
    if before.pins and not options.upgrade and python == before.python and not options.packages:
        hint = "--upgrade takes the newest versions; a package that is named is added"
        say(f"{_shown(settings, before)} is there already: {hint}")
        return False
    kept = () if options.upgrade or python != before.python else before.pins
    wanted = Environment(framework.name, options.device, before.path, python, kept)
    say(f"{framework.name}: resolving for Python {python}: {', '.join(packages)}")
    with out.status("") as shown:  # on a terminal alone: it is of no use in a log
        after = resolve(wanted, packages, lambda text: shown.update(escape(text)))
    write_pins(after, packages)
    _tell(settings, before, after)
    return after.pins != before.pins


def pin_framework(settings: Settings, name: str) -> None:
    """Make the pinned file of a framework that has none; raises InstallError."""
    _pins(settings, Namespace(framework=name, packages=[], upgrade=False, python=None, device=CPU))


def _before(settings: Settings, framework: Framework, options: Namespace) -> Environment:
    """Return the environment as it is pinned now; one that is not has no pins."""
    if options.python is not None and not _PYTHON.fullmatch(options.python):
        msg = f"`{options.python}` is no version of Python"
        raise UsageError(msg, hint="write its first two numbers: --python 3.12")
    reason = why_not(settings, framework.name, options.device)
    if reason is not None:
        msg = f"{framework.name} has no environment on {options.device}: {reason}"
        raise UsageError(msg, hint="mend [tool.polytab.frameworks], or leave out --device")
    path = pins_path(settings, framework.name, options.device)
    if path.is_file():
        return read_environment(settings, framework.name, options.device)
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Environment(framework.name, options.device, path, running, ())


def _packages(framework: Framework, before: Environment, options: Namespace) -> tuple[str, ...]:
    """Return all packages that were ever asked for; a kernel needs one of its own."""
    for each in options.packages:
        if not _PACKAGE.fullmatch(each):
            msg = f"`{each}` is no package"
            raise UsageError(msg, hint="write its name, with a version where you must: numpy<3")
    known = wanted_packages(before.path)
    own = framework.package_on(options.device)
    asked = [*(known or ([own] if own else [])), *options.packages]
    if not asked and before.pins:
        msg = f"{before.path.name} does not say which packages were asked for"
        hint = f"name them: {command('pin', framework.name, 'PACKAGE', '--upgrade')}"
        raise UsageError(msg, hint=hint)
    latest = {re.split(r"[\[<>=!~]", each)[0].lower(): each for each in [*asked, _KERNEL]}
    return tuple(latest.values())


def _tell(settings: Settings, before: Environment, after: Environment) -> None:
    old, new = _versions(before.pins), _versions(after.pins)
    for name in sorted(old | new) if old else ():
        if old.get(name) != new.get(name):
            say(f"{name}: {old.get(name, 'not there')} -> {new.get(name, 'not there')}")
    say(f"{_shown(settings, after)}: Python {after.python}, {len(after.pins)} packages")


def _versions(pins: Sequence[str]) -> dict[str, str]:
    return {name: version for name, _, version in (each.partition("==") for each in pins)}


def _shown(settings: Settings, environment: Environment) -> str:
    return environment.path.relative_to(settings.root).as_posix()
