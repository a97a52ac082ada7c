"""Measured values, lists, dates and provenance -> text in a language, by Babel.

The symbols of units are those of the SI, which are the same in every language. Those of Babel are
not (`0,53 milissegundos`, `1.2 sec`).
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import TYPE_CHECKING

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from polytab.interface.messages import translate as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from polytab.model import Framework, Provenance

_SPACE = "\N{NO-BREAK SPACE}"
_TIMES = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
_SIZES = (("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10), ("B", 1.0))
_RATES = (("TFLOP/s", 1e12), ("GFLOP/s", 1e9), ("MFLOP/s", 1e6), ("kFLOP/s", 1e3))
_BANDWIDTHS = (("TB/s", 1e12), ("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3))
_VECTORS = frozenset({"AVX", "AVX2", "AVX-512", "NEON", "SVE", "SVE2"})
"""The instruction sets of which the newest names a processor; others are told among the details."""


_AMOUNTS = frozenset({"caches", "memory", "quota"})
"""The facts of a machine that are amounts; the numbers of the others are names."""

_AMOUNT = re.compile(r"\b(?P<number>\d+(?:\.\d+)?)(?: (?P<unit>[KMG]iB))?$")


def versions(framework: Framework, made: Provenance) -> tuple[str, ...]:
    """Return with what a recording was made: its framework, then what else its script imports."""
    return (f"{framework.title} {made.version}", *map(" ".join, made.imported))


def machine(made: Provenance) -> str:
    """Return the machine of a recording as text, beginning with the device."""
    gpus = made.accelerator
    if gpus is None:
        return _("CPU: {processor}").format(processor=processor(made))
    count = f"{gpus.count} × " if gpus.count > 1 else ""
    driver = _("driver {version}").format(version=gpus.driver)
    cuda = " ".join(filter(None, ("CUDA", gpus.cuda)))
    said = _("{device}: {gpus}, {driver}")
    return said.format(device=cuda, gpus=f"{count}{gpus.name}", driver=driver)


def processor(made: Provenance) -> str:
    """Return the processor of a recording in a few words, with what tells it from its like."""
    facts = dict(made.machine)
    if not facts:
        return f"{made.hardware} ({made.cores})"
    known = facts.get("instructions", "").split()
    newest = [name for name in known if name in _VECTORS][-1:]
    parts = [made.hardware]
    if "family" in facts:
        parts.append(_("family {number}").format(number=facts["family"]))
    parts += [*newest, *(["AMX"] if "AMX" in known else [])]
    parts.append(_("1 core") if made.cores == 1 else _("{count} cores").format(count=made.cores))
    if "virtual" in facts:
        parts.append(_("virtual"))
    return enumerated(parts)


def enumerated(parts: Iterable[str]) -> str:
    """Write `a, b, c`, with the comma of the language."""
    return _chained(_("{first}, {rest}"), parts)


def separated(parts: Iterable[str]) -> str:
    """Write `a; b; c`, where the parts may have commas, with the semicolon of the language."""
    return _chained(_("{first}; {rest}"), parts)


def sentences(parts: Iterable[str]) -> str:
    """Write `A. B. C`, with the full stop of the language between."""
    return _chained(_("{first}. {rest}"), parts)


def _chained(pattern: str, parts: Iterable[str]) -> str:
    backwards = reversed(list(parts))
    last = next(backwards, "")
    return reduce(lambda rest, first: pattern.format(first=first, rest=rest), backwards, last)


def machine_details(made: Provenance, formats: Formats) -> str:
    """Return all that is known of the machine of a recording; "" where only its name is."""
    facts = {name: fact for name, fact in made.machine if (name, fact) != ("virtual", "yes")}
    names = {
        "vendor": _("vendor"),
        "family": _("family"),
        "model": _("model"),
        "stepping": _("stepping"),
        "instructions": _("instruction sets"),
        "caches": _("caches"),
        "sockets": _("sockets"),
        "cores": _("physical cores"),
        "quota": _("limit, in cores"),
        "threads": _("threads of a library"),
        "governor": _("governor"),
        "virtual": _("hypervisor"),
        "memory": _("memory"),
        "libraries": _("libraries"),
    }
    pattern = _("{name} {fact}")
    known = (name for name in names if name in facts)
    facts |= {name: formats.amounts(facts[name]) for name in _AMOUNTS & facts.keys()}
    parts = [pattern.format(name=names[name], fact=facts[name]) for name in known]
    return separated((made.hardware, *parts)) if parts else ""


@cache
def _locale(name: str) -> Locale:
    """Parse the name of a locale once: Babel asks the disk each time."""
    return Locale.parse(name)


@dataclass(frozen=True)
class Formats:
    """The formats of one language for numbers, lists and dates; `language` as Sphinx spells it."""

    language: str
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of the benchmarks and cases of a page, in its scripts -> translated."""

    @property
    def locale(self) -> Locale:
        """Babel's locale; for English the international one, as in `a, b and c` and `2 March`."""
        return _locale("en_001" if self.language == "en" else self.language)

    @property
    def colon(self) -> str:
        """The colon behind a run-in heading, with a space where the language has one."""
        return _("{label}: {said}").removeprefix("{label}").removesuffix("{said}")

    def translated_name(self, text: str) -> str:
        """Return the name of a benchmark, a case, or the range of a curve in this language."""
        return self.names.get(text, text)

    def significant(self, value: float, least: int, most: int) -> str:
        """Write a number with `least` to `most` significant digits, its thousands apart.

        Python rounds it, as in the tables that scripts print: Babel would round 2.245 to 2.24 as it
        is written, and not as it is.
        """
        rounded = float(f"{value:.{most}g}")
        digits = "#," + "@" * least + "#" * (most - least) if rounded else "0"
        return format_decimal(rounded, digits, locale=self.locale)

    def factor(self, value: float) -> str:
        """Write a ratio."""
        return self.significant(value, 2, 3)

    def percent(self, share: float) -> str:
        """Write a share in hundredths."""
        return _("{share}\N{NO-BREAK SPACE}%").format(share=self.significant(100 * share, 2, 3))

    def bound(self, value: float) -> str:
        """Write an end of a ratio's interval: with two decimals, unless it is far from 1."""
        if 0.1 <= value < 10:  # noqa: PLR2004  # elsewhere two decimals say too little or too much
            return format_decimal(value, "0.00", locale=self.locale)
        return self.factor(value)

    def time(self, seconds: float) -> str:
        """Write a time in the unit that suits it."""
        return self._quantity(seconds, _TIMES)

    def size(self, number: int) -> str:
        """Write a number of bytes in the unit that suits it."""
        return self._quantity(number, _SIZES)

    def rate(self, value: float) -> str:
        """Write a number of arithmetic operations per second."""
        return self._quantity(value, _RATES)

    def bandwidth(self, value: float) -> str:
        """Write a number of bytes per second."""
        return self._quantity(value, _BANDWIDTHS)

    def tick(self, seconds: float) -> str:
        """Write a round time of an axis, with no more digits than it has."""
        return self._round(seconds, _TIMES)

    def rate_tick(self, value: float) -> str:
        """Write a round rate of an axis."""
        return self._round(value, _RATES)

    def bandwidth_tick(self, value: float) -> str:
        """Write a round bandwidth of an axis."""
        return self._round(value, _BANDWIDTHS)

    def value(self, number: float) -> str:
        """Write a value that was chosen, not measured, with at most six decimals."""
        return format_decimal(number, "#,##0.######", locale=self.locale)

    def count(self, number: int) -> str:
        """Write a whole number."""
        return format_decimal(number, locale=self.locale)

    def amounts(self, text: str) -> str:
        """Write the numbers of a text such as `L2 2 MiB, L3 1.5 MiB`, each with its unit."""
        return enumerated(_AMOUNT.sub(self._amount, part) for part in text.split(", "))

    def _amount(self, match: re.Match[str]) -> str:
        number = self.value(float(match["number"]))
        return f"{number}{_SPACE}{match['unit']}" if match["unit"] else number

    def minutes(self, number: int) -> str:
        """Write how many minutes something takes."""
        if number == 1:
            return _("1 minute")
        return _("{minutes} minutes").format(minutes=self.count(number))

    def listed(self, names: Sequence[str]) -> str:
        """Write `a, b and c`."""
        return format_list(names, style="standard", locale=self.locale)

    def either(self, names: Sequence[str]) -> str:
        """Write `a, b or c`."""
        return format_list(names, style="or", locale=self.locale)

    def date(self, day: str) -> str:
        """Write an ISO date in words."""
        return format_date(dt.date.fromisoformat(day), "long", locale=self.locale)

    def origin(self, framework: Framework, made: Provenance) -> str:
        """Write with what, on what and when a recording was made, in one line."""
        tools = enumerated(versions(framework, made))
        return " · ".join((tools, machine(made), self.date(made.date)))

    def _round(self, value: float, units: Sequence[tuple[str, float]]) -> str:
        unit, size = _unit(value, units)
        number = format_decimal(round(value / size, 6), "0.###", locale=self.locale)
        return f"{number}{_SPACE}{unit}"

    def _quantity(self, value: float, units: Sequence[tuple[str, float]]) -> str:
        unit, size = _unit(value, units)
        return f"{self.significant(value / size, 3, 3)}{_SPACE}{unit}"


def _unit(value: float, units: Sequence[tuple[str, float]]) -> tuple[str, float]:
    """Choose the largest unit of which the rounded value holds at least one: never 1000 µs."""
    rounded = float(f"{value:.3g}")
    return next((each for each in units if rounded >= each[1]), units[-1])
