"""A benchmark on a page: the chart, the numbers behind it, and what is missing from both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.settings import load_settings
from polytab.translations.catalogs import Entry
from polytab.translations.compiled import compile_catalogs
from tests.support.numbers_site import (
    COMPILED_WINS,
    EAGER_WINS,
    How,
    NumbersSite,
    complaints,
    words,
)
from tests.translations.tongues import write_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from tests.support.built import Built

QUARTILES = "145 µs \N{EN DASH} 147 µs"
SPACE = "\N{NO-BREAK SPACE}"


def measured(folder: Path) -> NumbersSite:
    made = NumbersSite.copy(folder)
    made.record("torch", COMPILED_WINS)
    made.record("mxnet", EAGER_WINS)
    made.record("jax", COMPILED_WINS)
    made.record("python", {"loop": 1e-3, "built in": 1e-5}, page="plain")
    return made


@pytest.fixture
def site(tmp_path: Path) -> NumbersSite:
    return measured(tmp_path)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return measured(tmp_path_factory.mktemp("benchmark")).build()


def figures(built: Built, page: str = "speed") -> list[Tag]:
    return built.page(page).select("figure.benchmark")


def texts(tag: Tag, selector: str) -> list[str]:
    return [words(found) for found in tag.select(selector)]


def test_outside_tabs_a_chart_has_a_group_for_each_framework(built: Built) -> None:
    assert built.warnings == ""
    chart = figures(built)[0]
    assert texts(chart, "svg .title") == ["PyTorch", "MXNet", "JAX"]
    assert texts(chart, "svg .name") == ["eager", "compiled"] * 3
    torch, mxnet, jax = ["146 µs", "100 µs"], ["50.0 µs", "80.0 µs"], ["146 µs", "100 µs"]
    assert texts(chart, "svg .value") == [*torch, *mxnet, *jax]
    assert texts(chart, "svg > title") == ["Time per call: forward, PyTorch, MXNet and JAX"]
    assert "MXNet: eager 50.0 µs; compiled 80.0 µs." in texts(chart, "svg desc")[0]
    assert texts(chart, ":scope > .provenance") == [
        "Medians; the lines span the middle half of the samples · CPU: A Processor (2)"
    ]
    assert not chart.select("script, [style], .notice")


def test_inside_a_tab_a_chart_is_of_that_framework_alone(built: Built) -> None:
    chart = figures(built)[1]
    assert texts(chart, "svg .title") == []
    assert texts(chart, "svg .value") == ["146 µs", "100 µs"]
    assert texts(chart, "th")[0] == "Case"
    assert texts(chart, "details .provenance") == [
        "PyTorch 7.4.0 · CPU: A Processor (2) · 2 January 2026"
    ]


def test_the_table_behind_a_chart_tells_all_its_numbers(site: NumbersSite) -> None:
    site.record("mxnet", EAGER_WINS, how=How(memory=3 * 2**20))
    table = figures(site.build())[0].select("details")[0]
    assert texts(table, "summary") == ["The numbers"]
    assert texts(table, "th") == [
        *("Framework", "Case", "Median", "Quartiles", "First call"),
        *("Memory", "Calls", "Samples", "Processes"),
    ]
    rows = [texts(row, "td") for row in table.select("tbody tr")]
    eager = ["146 µs", QUARTILES, "1.50 s"]
    assert rows[0] == ["PyTorch", "eager", *eager, "", "6,300", "63", "3"]
    assert [row[5] for row in rows] == ["", "", "3.00 MiB", "3.00 MiB", "", ""]
    assert len(texts(table, ".provenance")) == 3


def test_a_column_that_would_be_empty_is_left_out(built: Built) -> None:
    assert "Memory" not in texts(figures(built)[0], "th")


def test_a_case_looks_the_same_in_every_framework(site: NumbersSite) -> None:
    site.record("mxnet", {"compiled": 80e-6, "exported": 60e-6})
    chart = figures(site.build())[0]
    looks: dict[str, set[str]] = {}
    for case in chart.select("svg .case"):
        looks.setdefault(texts(case, ".name")[0], set()).add(" ".join(case["class"]))
    assert looks == {
        "eager": {"case look-0"},
        "compiled": {"case look-1"},
        "exported": {"case look-2"},
    }


def test_cases_far_apart_are_drawn_as_points(built: Built) -> None:
    [chart] = figures(built, "plain")
    assert chart.select("svg.logarithmic circle")
    assert "logarithmic" in texts(chart, "svg .axis")[0]


def test_what_ran_on_another_machine_has_an_axis_of_its_own(site: NumbersSite) -> None:
    site.record("jax", COMPILED_WINS, how=How(hardware="Another Processor"))
    chart = figures(site.build())[0]
    titles = [texts(svg, ".title") for svg in chart.select("svg")]
    assert titles == [["PyTorch", "MXNet"], ["JAX"]]
    machines = [each.rpartition("CPU: ")[2] for each in texts(chart, ":scope > .provenance")]
    assert machines == ["A Processor (2)", "Another Processor (2)"]
    ids = [str(each["id"]) for each in chart.select("svg [id]")]
    assert len(ids) == len(set(ids))


FACTS = (("family", "25"), ("instructions", "AVX AVX2 AVX-512"), ("stepping", "1"))


def test_machines_of_one_name_that_are_two_are_told_apart(site: NumbersSite) -> None:
    older = tuple(each if each[0] != "instructions" else (each[0], "AVX AVX2") for each in FACTS)
    for framework, facts in (("torch", FACTS), ("mxnet", FACTS), ("jax", older)):
        site.record(framework, COMPILED_WINS, how=How(machine=facts))
    chart = figures(site.build())[0]
    machines = [each.rpartition("CPU: ")[2] for each in texts(chart, ":scope > .provenance")]
    assert machines == [
        f"A Processor, family 25, {newest}, 2 cores" for newest in ("AVX-512", "AVX2")
    ]
    [told] = texts(chart, ":scope > .notice")
    assert told == "Measured on different machines: compare these times within a framework only."
    details = texts(chart, "details .provenance")[-2:]
    assert details[0].endswith("family 25; stepping 1; instruction sets AVX AVX2 AVX-512")
    assert details[1].endswith("family 25; stepping 1; instruction sets AVX AVX2")


def test_of_one_machine_nothing_is_told_beside_its_name(built: Built) -> None:
    assert "different machines" not in " ".join(texts(figures(built)[0], ".notice"))


def test_a_framework_without_a_measurement_is_named_under_the_chart(site: NumbersSite) -> None:
    site.forget("mxnet")
    site.forget("jax")
    site.write("snippets/speed/jax.py", "# %% forward\nx = 1\n")
    built = site.build()
    [about_tab] = complaints(built, "speed")
    assert about_tab[1].startswith("the script of this tab does not measure `forward: eager`")
    chart = figures(built)[0]
    assert texts(chart, "svg .title") == ["PyTorch"]
    assert texts(chart, ".notice") == ["Not measured: MXNet and JAX."]


def test_what_comes_with_python_is_not_told_where_its_script_does_not_measure(
    site: NumbersSite,
) -> None:
    site.forget("mxnet")
    settings = (site.root / "pyproject.toml").read_text("utf-8")
    package = 'mxnet = { title = "MXNet", package = "mxnet", no_cuda = "MXNet has gone." }'
    site.write("pyproject.toml", settings.replace(package, 'mxnet = { title = "re" }'))
    site.write("snippets/speed/mxnet.py", "# %% forward\nx = 1\n")
    chart = figures(site.build())[0]
    assert texts(chart, "svg .title") == ["PyTorch", "JAX"]
    assert texts(chart, ".notice") == []


def test_where_nothing_is_measured_yet_there_is_no_chart(site: NumbersSite) -> None:
    for framework in ("torch", "mxnet", "jax"):
        site.forget(framework)
    built = site.build()
    assert built.warnings == ""
    outside, inside = figures(built)
    assert not outside.select("svg, details")
    assert texts(outside, ".notice") == ["Not measured: PyTorch, MXNet and JAX."]
    assert texts(inside, ".notice") == ["This has not been measured yet."]


def test_a_stale_recording_is_drawn_and_marked(site: NumbersSite) -> None:
    for framework in ("torch", "jax"):
        script = site.root / "snippets" / "speed" / f"{framework}.py"
        script.write_text(script.read_text("utf-8") + "\n# %% more\nx = 1\n", encoding="utf-8")
    outside, inside = figures(site.build())
    assert texts(outside, "svg .title") == ["PyTorch", "MXNet", "JAX"]
    assert texts(outside, ".notice") == ["Recorded before the last edit: PyTorch and JAX."]
    assert texts(inside, ".notice") == ["This output was recorded before the last edit."]


def test_an_unknown_benchmark_is_told_with_its_file_and_line(site: NumbersSite) -> None:
    site.write("docs/speed.md", "# Speed\n\n:::{benchmark} backward\n:::\n")
    text = "no script of page `speed` measures `backward` known here: forward"
    assert complaints(site.build(), "speed") == [(3, text)]


@pytest.mark.parametrize(
    ("language", "title", "value", "calls", "description"),
    [
        (
            *("zh_CN", "PyTorch、MXNet和JAX", "50.0 µs", "6,300"),
            "MXNet：eager 50.0 µs；compiled 80.0 µs。JAX：",
        ),
        (
            *("pt_BR", "PyTorch, MXNet e JAX", "50,0 µs", "6.300"),
            "MXNet: eager 50,0 µs; compiled 80,0 µs. JAX: ",
        ),
    ],
)
def test_a_chart_speaks_the_language_of_the_page(  # noqa: PLR0913, PLR0917  # a table
    site: NumbersSite, language: str, title: str, value: str, calls: str, description: str
) -> None:
    chart = figures(site.build(language=language))[0]
    assert description in texts(chart, "svg desc")[0]
    assert texts(chart, "svg title")[0].endswith(title)
    assert value in texts(chart, "svg .value")
    assert calls in texts(chart, "td")


def test_the_names_of_cases_are_translated_in_chart_and_table(site: NumbersSite) -> None:
    settings = load_settings(site.root)
    portuguese = settings.language("pt")
    for page, source, translation in (
        ("speed", "compiled", "compilado com o modo de grafo estático"),
        ("plain", "eager", "noutra página é outra coisa"),
    ):
        write_catalog(settings, portuguese, f"snippets/{page}", Entry(source, translation))
    assert compile_catalogs(settings, portuguese) == ()
    chart = figures(site.build(language="pt_BR"))[0]
    name = "compilado com o modo de grafo estático"
    assert texts(chart, "svg .name") == ["eager", name] * 3
    assert texts(chart, "td:nth-of-type(2)") == ["eager", name] * 3
    assert f"{name} 80,0 µs" in texts(chart, "svg desc")[0]


def test_a_format_without_drawings_has_the_table(site: NumbersSite) -> None:
    built = site.build("text")
    assert built.warnings == ""
    text = built.text("speed.txt").replace(SPACE, " ")
    assert QUARTILES in text
    assert "svg" not in text
