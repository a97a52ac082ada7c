"""A computed quantity, such as a break-even -> its text and its interval in a language."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from polytab.interface.messages import translate as _

if TYPE_CHECKING:
    from polytab.interface.formats import Formats
    from polytab.recordings.derived import Derived


def derived_text(found: Derived, kind: str, formats: Formats) -> str:
    """Write the quantity: a number, or that it is never, or that it is not decided."""
    if kind == "break-even":
        if found.never:
            return _("never")
        return _value(found.value, kind, formats) if found.decided else _("not decided")
    if kind == "excess" and found.low <= 0 <= found.high:
        return _("not decided")
    return _value(found.value, kind, formats)


def interval_text(found: Derived, kind: str, formats: Formats) -> str:
    """Write the interval; empty where there is none."""
    if found.never or math.isinf(found.low) or (math.isinf(found.high) and found.low <= 1):
        return ""
    low, high = (_value(each, kind, formats) for each in (found.low, found.high))
    return _("95 % interval: {low} to {high}").format(low=low, high=high)


def _value(value: float, kind: str, formats: Formats) -> str:
    if math.isinf(value):
        return _("never")
    if kind == "break-even":
        return formats.count(int(float(f"{math.ceil(value):.3g}")))
    if kind == "share":
        return formats.percent(value)
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    return sign + formats.time(abs(value))
