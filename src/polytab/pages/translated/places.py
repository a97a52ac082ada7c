"""At which line of its page each message begins, for editors that show a translator the place.

Sphinx counts lines of its own inside directives, so they are read here. A message that stands
several times has its first place; one that no line of the page holds, such as a word on a drawing,
keeps the file alone.

Law, guarded by tests/pages/translated/test_places.py: a line that is named begins with its message.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from polytab.pages.markdown.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from polytab.settings import Settings
    from polytab.translations.catalogs import Entry, Template


def with_lines(settings: Settings, templates: Iterable[Template]) -> tuple[Template, ...]:
    """Return the messages of pages with the lines at which they begin: `docs/join.md:13`."""
    return tuple(_with_lines(settings, each) for each in templates)


def first_lines(text: str) -> Mapping[str, int]:
    """Return the line of each message of a page, as Sphinx spells the message."""
    lines: dict[str, int] = {}
    for block in walk(text):
        if block.token.type == "inline":
            said = block.token.content
        else:
            said = block.directive.argument if block.directive else ""
        lines.setdefault(said.replace("\n", " ").strip(), block.line)
    return lines


def _with_lines(settings: Settings, template: Template) -> Template:
    path = settings.docs / f"{template.name}.md"
    if not path.is_file():
        return template
    file = path.relative_to(settings.root).as_posix()
    lines = first_lines(path.read_text("utf-8", "replace"))

    def located(entry: Entry) -> Entry:
        line = lines.get(entry.source)
        if line is None or file not in entry.locations:
            return entry
        places = (f"{file}:{line}" if each == file else each for each in entry.locations)
        return replace(entry, locations=tuple(places))

    return replace(template, entries=tuple(map(located, template.entries)))
