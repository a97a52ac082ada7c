"""What can be read from one mark of a chart: what it is of, its value, and its spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.interface.messages import translate as _

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.interface.formats import Formats


@dataclass(frozen=True)
class Reading:
    """The value of a mark, between the quartiles; `of` names framework and case, or None."""

    of: tuple[str | None, ...]
    value: float
    quartiles: tuple[float, float]
    at: str = ""
    """Where on the horizontal axis it was measured, as text."""

    def lines(self, formats: Formats, write: Callable[[float], str]) -> tuple[str, ...]:
        """Return it as lines of text; `write` writes a value with its unit."""
        names = " · ".join(each for each in self.of if each)
        low, high = (write(each) for each in self.quartiles)
        spread = _("half of the samples: {low} to {high}").format(low=low, high=high)
        head = f"{names}{formats.colon}{self.at}" if self.at else names
        return head, write(self.value), spread
