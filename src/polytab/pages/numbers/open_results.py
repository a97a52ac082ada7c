"""What the engine says of a comparison that is neither faster nor slower: its interval, no cause.

No author writes these sentences, so that none of them can claim more than was measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from polytab.interface.messages import translate as _
from polytab.recordings.verdicts import MARGIN, Verdict, find_case
from polytab.recordings.verdicts import verdict as judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from polytab.interface.formats import Formats
    from polytab.pages.numbers.expressions import Comparison
    from polytab.pages.numbers.results import FrameworkResult


def open_sentences(
    results: Sequence[FrameworkResult], comparison: Comparison, formats: Formats
) -> Mapping[str, list[FrameworkResult]]:
    """Return each sentence with the results it is true of, the surest first."""
    sure = (Verdict.SAME, Verdict.SMALL, Verdict.UNDECIDED)
    ordered = sorted(results, key=lambda each: sure.index(judge(each.ratio(comparison))))
    said: dict[str, list[FrameworkResult]] = {}
    for each in ordered:
        said.setdefault(_sentence(each, comparison, formats), []).append(each)
    return said


def open_paragraph(sentence: str) -> nodes.paragraph:
    """Return the paragraph of such a sentence."""
    return nodes.paragraph("", sentence, classes=["open-result"], translatable=False)


def _sentence(result: FrameworkResult, comparison: Comparison, formats: Formats) -> str:
    """Say in a sentence what is known where neither faster nor slower is."""
    measured = result.ratio(comparison)
    found = judge(measured)
    low, high = measured.low, measured.high
    if found is Verdict.SAME:
        text = _("{a} and {b} take about the same time: within {percent} %.")
    elif found is Verdict.SMALL and low > 1:
        text = _(
            "A difference, perhaps a small one: {a} is {low} to {high} times as fast as {b}. "
            "Less than the {percent} % we ask for is not ruled out."
        )
    elif found is Verdict.SMALL:
        low, high = 1 / high, 1 / low
        text = _(
            "A difference, perhaps a small one: {a} takes {low} to {high} times as long as {b}. "
            "Less than the {percent} % we ask for is not ruled out."
        )
    elif measured.known:
        text = _(
            "This measurement does not decide between {a} and {b}: {low} to {high} times as fast."
        )
    else:
        text = _("This measurement does not decide between {a} and {b}: it is of one process.")
    a, b = _names(result, comparison, formats)
    percent = formats.value(100 * MARGIN)
    bounds = {"low": formats.bound(low), "high": formats.bound(high)} if measured.known else {}
    return text.format(a=a, b=b, percent=percent, **bounds)


def _names(result: FrameworkResult, comparison: Comparison, formats: Formats) -> tuple[str, str]:
    """Return the names of both cases as charts write them, with their place on a curve."""
    measurement = result.measurement
    a, b = (find_case(measurement, name) for name in comparison.cases)
    over = formats.translated_name(measurement.over or "")

    def place(at: float | None) -> str:
        if at is None:
            return ""
        return _(" ({over}: {value})").format(over=over, value=formats.value(at))

    names = [_("“{case}”").format(case=formats.translated_name(case.name)) for case in (a, b)]
    return names[0] + (place(a.at) if a.at != b.at else ""), names[1] + place(b.at)
