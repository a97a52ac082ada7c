"""A benchmark that runs over a range: its curves, its points, and rooflines made of them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import PolytabError
from polytab.interface.formats import Formats
from polytab.pages.charts.plot import Panel, Plot, Point, Scale, Trace, axes_of, draw
from polytab.pages.charts.roofs import Roof
from polytab.pages.numbers.expressions import Comparison, parse_comparison
from polytab.recordings.files import save_recording
from polytab.recordings.measurements import MIME
from polytab.settings import load_settings
from tests.support.handbook import job, recording
from tests.support.numbers_site import EAGER_WINS, NumbersSite, complaints, seen, words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bs4 import Tag

VALUES = st.floats(min_value=1e-3, max_value=1e15)
TIMES = st.floats(min_value=1e-9, max_value=1e3)
SPREAD = [0.99 + 0.001 * number for number in range(21)]

PRODUCT = {"naive": {64: 4e-4, 1024: 2.0}, "blas": {64: 2e-5, 1024: 2e-2}}
COPY = {"copy": {4096: 1e-6, 1 << 24: 3e-3}}


def measured(name: str, over: str, curves: Mapping[str, Mapping[int, float]]) -> dict[str, Any]:
    """Return the output of a sweep; a product does 2n³ operations on 24n² bytes, a copy none."""
    product = name == "product"
    cases = [
        {
            "name": case,
            "calls": 63,
            "first_calls": [1.5] * 3,
            "samples": [[float(f"{median * shift:.4g}") for shift in SPREAD]] * 3,
            "memory": None,
            "at": at,
            "operations": 2 * at**3 if product else None,
            "traffic": 24 * at**2 if product else 2 * at,
        }
        for case, points in curves.items()
        for at, median in points.items()
    ]
    data = {"schema": 2, "name": name, "over": over, "cases": cases}
    bundle = {MIME: data, "text/plain": name}
    return {
        "output_type": "execute_result",
        "metadata": {},
        "data": bundle,
        "execution_count": None,
    }


def record(site: NumbersSite, framework: str) -> None:
    settings = load_settings(site.root)
    made = job(settings, "speed", framework)
    shown = (measured("product", "width", PRODUCT), measured("copy", "bytes", COPY))
    save_recording(settings.recordings, recording(made, {"forward": list(shown)}))


PAGE = """\
# Speed

:::{benchmark} product
:::

:::{roofline} product
:peak: product: blas at 1024
:bandwidth: copy: copy at 16777216; copy: copy at 4096
:::

:::::{tabs}
::::{group-tab} PyTorch
:::{benchmark} product
:::

At 1024 it takes {measured}`product: blas at 1024`, which is {measured}`product: blas at 1024 rate`,
and {ratio}`product: blas vs naive at 64` times.
A copy moves {measured}`copy: copy at 4096 bandwidth`.
::::
:::::
"""


@pytest.fixture
def site(tmp_path: Path) -> NumbersSite:
    made = NumbersSite.copy(tmp_path)
    for framework in ("torch", "jax"):
        record(made, framework)
    made.write("docs/speed.md", PAGE)
    return made


def texts(tag: Tag, selector: str) -> list[str]:
    return [words(found) for found in tag.select(selector)]


def test_the_curves_of_several_frameworks_lie_over_each_other_case_by_case(
    site: NumbersSite,
) -> None:
    built = site.build()
    assert complaints(built, "speed") == []
    curve, by_framework, _, alone = built.page("speed").select("figure svg.chart")

    assert texts(curve, ".title") == ["naive", "blas"]
    assert texts(curve, ".name") == ["PyTorch", "JAX"]
    assert len(curve.select(".group .band")) == 4
    assert texts(curve, ".axis") == ["Time per call; lower is faster", "width"] * 2
    assert "blas (64: 20.0 µs; 1,024: 20.0 ms)" in texts(curve, "desc")[0]
    assert texts(curve, "g > title")[-1] == (
        "JAX · blas: width = 1,024 20.0 ms half of the samples: 19.9 ms to 20.1 ms"
    )

    assert texts(by_framework, ".title") == ["PyTorch", "JAX"]
    assert texts(by_framework, ".name") == ["naive", "blas"]
    folded = by_framework.find_parent("details")
    assert folded is not None
    assert not folded.has_attr("open")
    assert texts(alone, ".title") == []
    assert texts(alone, "g > title")[0].startswith("naive: width = 64 ")


def test_a_roofline_has_labelled_roofs_ridges_and_points(site: NumbersSite) -> None:
    built = site.build()
    [roofline] = built.page("speed").select("figure.benchmark:has(.ridge) svg.chart")
    assert texts(roofline, ".axis")[:2] == [
        "Operations per second; higher is faster",
        "Operations per byte of traffic",
    ]
    assert texts(roofline, ".group:nth-of-type(5) .size") == ["64", "1,024", "64", "1,024"]
    assert texts(roofline, ".group .name")[:2] == ["ridge: 9.6 FLOP/B", "13.1 FLOP/B"]
    assert "At the points: width (naive and blas)" in seen(built, "speed")
    assert texts(roofline, ".trace .name") == ["naive", "blas"]
    assert texts(roofline, ".roof .name") == [
        "copy (16,777,216): 11.2 GB/s, at most 107 GFLOP/s",
        "copy (4,096): 8.19 GB/s, at most 107 GFLOP/s",
    ]


def test_a_roof_of_benchmarks_is_that_of_their_best_cases(site: NumbersSite) -> None:
    roofs = ":peak: product: naive at 64; product\n:bandwidth: copy"
    site.write("docs/speed.md", f"# Speed\n\n:::{{roofline}} product\n{roofs}\n:::\n")
    built = site.build()
    assert complaints(built, "speed") == []
    [roofline] = built.page("speed").select("figure.benchmark svg.chart")
    named = "copy (16,777,216): 11.2 GB/s, at most 107 GFLOP/s"
    assert set(texts(roofline, ".roof .name")) == {named}


def test_the_table_behind_a_curve_has_its_values(site: NumbersSite) -> None:
    table = site.build().page("speed").select("figure.benchmark details:has(table)")[2]
    assert texts(table, "th")[:3] == ["Case", "width", "Median"]
    assert texts(table, "tbody tr:first-child td")[:3] == ["naive", "64", "400 µs"]


@pytest.mark.parametrize(
    ("show", "said", "at_ends"),
    [
        (
            "bandwidth",
            "Bytes moved per second; higher is faster",
            "64: 4.92 GB/s; 1,024: 1.26 GB/s",
        ),
        (
            "rate",
            "Operations per second; higher is faster",
            "64: 26.2 GFLOP/s; 1,024: 107 GFLOP/s",
        ),
    ],
)
def test_a_curve_may_show_what_a_call_is_worth(
    site: NumbersSite, show: str, said: str, at_ends: str
) -> None:
    site.write("docs/speed.md", f"# Speed\n\n:::{{benchmark}} product\n:show: {show}\n:::\n")
    built = site.build()
    assert complaints(built, "speed") == []
    curve, _ = built.page("speed").select("figure.benchmark svg.chart")
    assert said in texts(curve, ".axis")
    assert f"blas ({at_ends})" in texts(curve, "desc")[0]


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (":::{benchmark} copy\n:show: rate\n:::", "`copy at 4096` has no rate"),
        (":::{benchmark} forward\n:show: rate\n:::", "`forward` is no curve"),
    ],
)
def test_what_a_curve_cannot_show_is_told(site: NumbersSite, block: str, words: str) -> None:
    site.record("mxnet", EAGER_WINS)
    site.write("docs/speed.md", f"# Speed\n\n{block}\n")
    [(line, told)] = complaints(site.build(), "speed")
    assert line == 3
    assert words in told


def test_a_sentence_can_speak_of_a_point(site: NumbersSite) -> None:
    said = seen(site.build(), "speed")
    assert "At 1024 it takes 20.0 ms, which is 107 GFLOP/s, and 20 times." in said
    assert "A copy moves 8.19 GB/s." in said


@pytest.mark.parametrize(
    ("block", "words"),
    [
        (
            ":::{roofline} product\n:peak: product: blas at 64\n:::",
            "a roofline needs `:bandwidth:`",
        ),
        (
            ":::{roofline} product\n:peak: copy: copy at 4096\n:bandwidth: copy: copy at 4096\n:::",
            "of `copy at 4096` neither rate nor bandwidth is known",
        ),
        (
            ":::{roofline} copy\n:peak: product: blas at 64\n:bandwidth: copy: copy at 4096\n:::",
            "no case of `copy` counts its operations and its traffic",
        ),
        (
            ":::{roofline} product\n:peak: product: blas at 9\n:bandwidth: copy: copy at 4096\n:::",
            "`product` has no case `blas at 9`",
        ),
    ],
)
def test_a_wrong_roofline_is_told_at_its_line(site: NumbersSite, block: str, words: str) -> None:
    site.write("docs/speed.md", f"# Speed\n\n{block}\n")
    [(line, said)] = complaints(site.build(), "speed")
    assert line == 3
    assert words in said


def test_a_point_without_a_rate_has_none_to_tell(site: NumbersSite) -> None:
    tab = (
        "# Speed\n\n::::{tabs}\n:::{group-tab} JAX\n{measured}`copy: copy at 4096 rate`\n:::\n::::"
    )
    site.write("docs/speed.md", tab + "\n")
    [(_, said)] = complaints(site.build(), "speed")
    assert "`copy: copy at 4096` has no rate" in said


@pytest.mark.parametrize(
    ("written", "new", "old"),
    [
        ("f: a vs b at 8", "a at 8", "b at 8"),
        ("f: a at 1 vs a at 8", "a at 1", "a at 8"),
        ("f: a at 8 vs b at 0.5", "a at 8", "b at 0.5"),
    ],
)
def test_a_comparison_may_be_of_points(written: str, new: str, old: str) -> None:
    assert parse_comparison(written) == Comparison("f", new, old)


def test_a_point_is_not_compared_with_itself() -> None:
    with pytest.raises(PolytabError, match="no comparison"):
        parse_comparison("f: a at 8 vs a at 8")
    with pytest.raises(PolytabError, match="no comparison"):
        parse_comparison("f: a vs a at 8")


SCALE = Scale("an axis", str, str)


@st.composite
def plots(draw: st.DrawFn) -> Plot:
    """Make a plot of some traces, and sometimes a roof."""
    traces = tuple(
        Trace(f"case {number}", number, tuple(sorted(points, key=lambda at: at.x)))
        for number, points in enumerate(
            draw(
                st.lists(
                    st.lists(st.builds(point, VALUES, TIMES), min_size=1, max_size=6),
                    min_size=1,
                    max_size=5,
                )
            )
        )
    )
    roofs = draw(st.lists(st.builds(Roof, st.just("r"), st.just(0), TIMES, TIMES), max_size=2))
    panel = Panel("PyTorch", traces, tuple(roofs))
    return Plot("one", "A title", "A description", (panel,), SCALE, SCALE)


def point(x: float, y: float) -> Point:
    return Point(x, y, y * 0.9, y * 1.1)


@given(plots())
def test_everything_lies_on_the_plane(plot: Plot) -> None:
    across, up = axes_of(plot)
    for trace in plot.panels[0].traces:
        for each in trace.points:
            assert 0 <= across.at(each.x) <= 100
            assert 0 <= up.at(each.low) <= up.at(each.y) <= up.at(each.high) <= 100
        places = [across.at(each.x) for each in trace.points]
        assert all(a <= b for a, b in pairwise(places))
    for roof in plot.panels[0].roofs:
        assert 0 <= up.at(roof.peak) <= 100
        assert roof.height(roof.peak / roof.bandwidth * 2) == roof.peak


def parsed(plot: Plot) -> ET.Element:
    plain = draw(plot, Formats("en")).replace('xmlns="http://www.w3.org/2000/svg" ', "", 1)
    return ET.fromstring(plain)  # noqa: S314  # what we have just written


@given(plots())
def test_no_label_of_the_scale_stands_in_the_words_above_it(plot: Plot) -> None:
    svg = parsed(plot)
    heads = [down(text) for text in svg.iter("text") if text.get("class") in {"name", "title"}]
    ticks = [down(text) for text in svg.iter("text") if text.get("class") == "tick"]
    assert min(ticks) - max(heads) > 1.5


def down(text: ET.Element) -> float:
    return float((text.get("y") or "").removesuffix("em"))


@given(plots())
def test_a_plot_is_well_formed_and_says_what_it_shows(plot: Plot) -> None:
    svg = parsed(plot)
    assert (svg.get("role"), svg[0].text, svg[1].text) == ("img", "A title", "A description")
    for stroke in svg.iter("polyline"):
        for place in (stroke.get("points") or "").split():
            assert all(math.isfinite(float(each)) for each in place.split(","))
