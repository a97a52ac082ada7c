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
    from polytab.recordings.verdicts import Ratio


def open_sentences(
    results: Sequence[FrameworkResult], comparison: Comparison, formats: Formats
) -> Mapping[str, list[FrameworkResult]]:
    """Return each sentence with the results it is true of, the surest first.

    Results that differ in nothing but their interval share a sentence.
    """
    sure = (Verdict.SAME, Verdict.SMALL, Verdict.UNDECIDED)
    ordered = sorted(results, key=lambda each: sure.index(judge(each.ratio(comparison))))
    alike: dict[tuple[str, tuple[str, str]], list[FrameworkResult]] = {}
    for each in ordered:
        kind = _form(each.ratio(comparison)), _names(each, comparison, formats)
        alike.setdefault(kind, []).append(each)
    return {
        form.format(
            a=names[0],
            b=names[1],
            percent=formats.value(100 * MARGIN),
            times=_intervals(true_of, comparison, formats),
        ): true_of
        for (form, names), true_of in alike.items()
    }


def open_paragraph(sentence: str) -> nodes.paragraph:
    """Return the paragraph of such a sentence."""
    return nodes.paragraph("", sentence, classes=["open-result"], translatable=False)


def _form(measured: Ratio) -> str:
    """Return what can be said where neither faster nor slower is, with places to fill."""
    found = judge(measured)
    if found is Verdict.SAME:
        return _("{a} and {b} take about the same time: within {percent} %.")
    if found is Verdict.SMALL and measured.low > 1:
        return _(
            "A difference, perhaps a small one: {a} is {times} as fast as {b}. "
            "Less than the {percent} % we ask for is not ruled out."
        )
    if found is Verdict.SMALL:
        return _(
            "A difference, perhaps a small one: {a} takes {times} as long as {b}. "
            "Less than the {percent} % we ask for is not ruled out."
        )
    if measured.known:
        return _(
            "This measurement does not decide which of the two cases is faster: "
            "{a} is {times} as fast as {b}."
        )
    return _("This measurement does not decide between {a} and {b}: it is of one process.")


def _intervals(results: Sequence[FrameworkResult], comparison: Comparison, formats: Formats) -> str:
    """Write the interval of a result, or those of several behind which their frameworks stand."""
    written = [_interval(each.ratio(comparison), formats) for each in results]
    if len(results) == 1:
        return written[0]
    titles = [each.framework.title for each in results]
    return formats.listed(
        [
            _("{number} ({framework})").format(number=number, framework=title)
            for number, title in zip(written, titles, strict=True)
        ]
    )


def _interval(measured: Ratio, formats: Formats) -> str:
    """Write an interval, that of the slower case where it is known which one is slower."""
    low, high = measured.low, measured.high
    if judge(measured) is Verdict.SMALL and high < 1:
        low, high = 1 / high, 1 / low
    bounds = (formats.bound(each) if measured.known else "" for each in (low, high))
    return _("{low} to {high} times").format(low=next(bounds), high=next(bounds))


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
