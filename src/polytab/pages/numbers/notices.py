"""Notices about measurements on a page that are stale or missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.interface.messages import translate as _
from polytab.model import CUDA
from polytab.pages.code.snippet import notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.interface.formats import Formats
    from polytab.model import Framework
    from polytab.pages.numbers.results import FrameworkResult


def stale_notices(
    results: Sequence[FrameworkResult], formats: Formats, *, alone: bool
) -> list[notice]:
    """Return the notice that results are older than their scripts, or [] where all are fresh.

    `alone`: they are of one framework, which is not named.
    """
    frameworks = [each.framework for each in results if not each.fresh]
    if not frameworks:
        return []
    if alone:
        text = _("This output was recorded before the last edit.")
    else:
        text = _("Recorded before the last edit: {frameworks}.")
        text = text.format(frameworks=_listed(frameworks, formats))
    return [notice("", text, translatable=False, frameworks=_names(frameworks))]


def machines_notice(results: Sequence[FrameworkResult]) -> list[notice]:
    """Return the notice that these results are of different machines, or [] where they are not."""
    if len({each.recording.provenance.machine_kind for each in results}) < 2:  # noqa: PLR2004
        return []
    text = _("Measured on different machines: compare these times within a framework only.")
    return [notice("", text, translatable=False)]


def unmeasured_notice() -> notice:
    """Return the notice that there is no measurement yet."""
    return notice("", _("This has not been measured yet."), translatable=False)


def missing_notice(frameworks: Sequence[Framework], formats: Formats, device: str) -> notice:
    """Return the notice that names the frameworks without a measurement on a device."""
    text = missing_text(frameworks, formats, device)
    return notice("", text, translatable=False, frameworks=_names(frameworks))


def missing_text(frameworks: Sequence[Framework], formats: Formats, device: str) -> str:
    """Return the sentence that names the frameworks without a measurement on a device."""
    on_cuda = device == CUDA
    text = _("Not measured on CUDA: {frameworks}.") if on_cuda else _("Not measured: {frameworks}.")
    return text.format(frameworks=_listed(frameworks, formats))


def _listed(frameworks: Sequence[Framework], formats: Formats) -> str:
    return formats.listed([each.title for each in frameworks])


def _names(frameworks: Sequence[Framework]) -> list[str]:
    return [each.name for each in frameworks]
