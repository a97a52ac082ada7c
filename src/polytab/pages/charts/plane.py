"""The plane between the two axes of a plot: where its values lie, and the strokes in it.

Strokes are drawn in an inner `<svg>` that is stretched to the width of the plot. Marks and labels
are not: they stand in the plot itself, at the same places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from polytab.pages.charts import shapes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from polytab.pages.charts.axis import Axis

    Value = tuple[float, float]


@dataclass
class Plane:
    """A plane of two axes; `top` and `height` in em, `box` is the element of the plot's panel."""

    box: ET.Element
    across: Axis
    up: Axis
    top: float
    height: float
    stretched: ET.Element = field(init=False)

    def __post_init__(self) -> None:
        """Add the inner drawing."""
        self.stretched = ET.SubElement(
            self.box, "svg", {"class": "plane"}, x="0", y=shapes.em(self.top)
        )
        self.stretched.set("width", "100%")
        self.stretched.set("height", shapes.em(self.height))
        self.stretched.set("viewBox", "0 0 100 100")
        self.stretched.set("preserveAspectRatio", "none")

    def place(self, value: Value) -> tuple[float, float]:
        """Return where a value lies, in per cent from the left and in em from the top."""
        x, y = value
        return self.across.at(x), self.top + self.height * (1 - self.up.at(y) / 100)

    def group(self, kind: str) -> ET.Element:
        """Add a group for strokes that are of one kind."""
        return ET.SubElement(self.stretched, "g", {"class": kind})

    def stroke(self, group: ET.Element, values: Iterable[Value], kind: str = "stroke") -> None:
        """Join values by a line."""
        ET.SubElement(group, "polyline", {"class": kind, "points": self._path(values)})

    def band(self, group: ET.Element, above: Iterable[Value], below: Iterable[Value]) -> None:
        """Fill what lies between two curves, both from left to right."""
        path = self._path([*above, *reversed([*below])])
        ET.SubElement(group, "polygon", {"class": "band", "points": path})

    def _path(self, values: Iterable[Value]) -> str:
        points = ((self.across.at(x), 100 - self.up.at(y)) for x, y in values)
        return " ".join(f"{round(x, 2):g},{round(y, 2):g}" for x, y in points)
