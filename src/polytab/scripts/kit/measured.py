"""What was measured: a table for people, JSON for programs."""

import math
import statistics

MIME = "application/vnd.polytab.measurement+json"
SCHEMA = 3


def measured_case(name, calls, samples):
    """Return a case with its samples: seconds of one call each."""
    return {
        "name": name,
        "calls": calls,
        "first_calls": [],  # those that were made in a fresh process
        "fresh": False,
        "samples": [[rounded(each, 4) for each in samples]],
        **dict.fromkeys(["memory", "at", "operations", "traffic"]),
        "threads": {},  # how many each library may use
        "cores": None,  # how many were busy on average
    }


def comparison(name, over, cases, notes=(), threads=None):
    """Return the `Comparison` of these cases."""
    for case in cases:
        case["first_calls"] = [rounded(each, 4)
                               for each in case["first_calls"]]
    return Comparison({
        "schema": SCHEMA, "name": name, "over": over, "cases": cases,
        "threads": threads, "notes": list(notes)})


class Comparison:
    """The times of some cases: a table for people, JSON for programs."""

    def __init__(self, data):
        self.data = data

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.data, "text/plain": repr(self)}

    def __repr__(self):
        cases = self.data["cases"]
        head = ["median", "quartiles", "", "first call", "calls", "samples"]
        rows = [[self.data["name"], *head, "peak"], *map(_row, cases)]
        lines = _aligned(rows)
        firsts = {}
        for new in cases:
            old = firsts.setdefault(new["at"], new)
            if old is not new:
                ratio = written_ratio(
                    _quartiles(old)[1] / _quartiles(new)[1])
                lines.append(f"{_said(old)} / {_said(new)} = {ratio}")
        lines += [f"note: {note['case']}: {note['rule']}: {note['detail']}"
                  for note in self.data["notes"]]
        return "\n".join(lines)


def rounded(number, digits=3):
    """Round to so many significant digits: the one rule of all numbers."""
    return float(f"{number:.{digits}g}")


def written(number):
    """Write a number with three significant digits, as the pages do."""
    number = rounded(number)
    if not number:
        return "0"
    return f"{number:.{max(0, 2 - math.floor(math.log10(abs(number))))}f}"


def written_ratio(number):
    """Write a ratio: 2.25, 2.5, 13.6, 20."""
    text = written(number)
    if "." in text and text.endswith("0"):
        return text[:-1].rstrip(".")
    return text


def written_time(seconds):
    """Write a time in the unit that suits it."""
    units = (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    held = (each for each in units if rounded(seconds) >= each[1])
    unit, size = next(held, units[-1])
    return f"{written(seconds / size)} {unit}"


def _said(case):
    return (
        case["name"]
        if case["at"] is None
        else f"{case['name']} at {case['at']}"
    )


def _quartiles(case):
    times = [each for process in case["samples"] for each in process]
    if len(times) == 1:
        return times * 3
    return statistics.quantiles(times, method="inclusive")


def _row(case):
    low, median, high = _quartiles(case)
    firsts, memory = case["first_calls"], case["memory"]
    counts = [case["calls"], sum(map(len, case["samples"]))]
    return [
        _said(case), *map(written_time, [median, low, high]),
        written_time(statistics.median(firsts)) if firsts else "",
        *map(str, counts),
        "" if memory is None else f"{written(memory / 2**20)} MiB",
    ]


def _aligned(rows):
    """Put cells below each other, without columns that only have a head."""
    columns = [[*column] for column in zip(*rows)]
    first, *rest = [
        [cell.rjust(max(map(len, column))) for cell in column]
        for number, column in enumerate(columns)
        if number in (0, 3) or any(column[1:])]
    width = max(len(name.strip()) for name in first)
    names = [name.strip().ljust(width) for name in first]
    return ["  ".join(row).rstrip() for row in zip(names, *rest)]
