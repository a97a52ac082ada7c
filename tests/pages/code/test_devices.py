"""What was made on CUDA stands beside what the CPU made, and neither passes for the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.files import save_recording
from polytab.recordings.plan import find_recording
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from polytab.translations.templates import extract
from tests.support.built import build
from tests.support.handbook import NO_CUDA, job, record, recording, stream, with_cuda, write
from tests.support.numbers_site import COMPILED_WINS, EAGER_WINS, NumbersSite, words

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

    from polytab.settings import Settings
    from tests.support.built import Built

ABSENT = "There is no current recording on CUDA. What is shown is from the CPU."
WHY_NOT = f"{NO_CUDA} What is shown is from the CPU."
OURS = re.compile(r"devices\.|device-(?!width)|-device")
ON_CUDA = "CUDA 13.0: NVIDIA H100, driver 580.1"


def texts(found: list[Tag]) -> list[str]:
    return [words(each) for each in found]


def _record_cuda(settings: Settings, text: str = "from the GPU\n") -> None:
    """Save what torch said on CUDA."""
    made = job(settings, device="cuda")
    shown = {cell.label: [stream(text)] for cell in made.script.cells}
    save_recording(settings.recordings, recording(made, shown))


@pytest.fixture
def site(handbook: Settings) -> Settings:
    """Give the tiny handbook CUDA, and record all of it on the CPU."""
    settings = with_cuda(handbook)
    record(settings)
    return settings


# Without a recording of CUDA


def test_a_page_without_cuda_has_no_byte_of_it(site: Settings) -> None:
    before = build(site.root).text("tour.html")
    assert not OURS.search(before)
    _record_cuda(site)
    assert OURS.search(build(site.root).text("tour.html"))
    (site.recordings / "tour" / "torch.cuda.ipynb").unlink()
    assert build(site.root).text("tour.html") == before


def test_other_pages_are_as_they_were(site: Settings) -> None:
    _record_cuda(site)
    assert not OURS.search(build(site.root).text("end.html"))


# Snippets


@pytest.fixture
def tour(site: Settings) -> Tag:
    _record_cuda(site)
    built = build(site.root)
    assert built.warnings == ""
    return built.page("tour")


def test_a_snippet_shows_what_came_of_it_on_each_device_under_its_name(tour: Tag) -> None:
    cpu, cuda = tour.select("#add-torch .device-part")
    assert (cpu["id"], cpu["data-device"]) == ("add-torch-cpu", "cpu")
    assert (cuda["id"], cuda["data-device"]) == ("add-torch-cuda", "cuda")
    assert words(cpu) == "CPU add PyTorch 7.4.0 · CPU: A Processor (2) · 2 January 2026"
    assert words(cuda) == f"CUDA from the GPU PyTorch 7.4.0 · {ON_CUDA} · 2 January 2026"
    assert len(tour.select("#add-torch .snippet-code")) == 1


def test_what_is_of_the_cpu_alone_says_so_and_why(tour: Tag) -> None:
    assert not tour.select("#add-mxnet .device-part")
    assert texts(tour.select("#add-mxnet .device-absence")) == [WHY_NOT]
    [plain] = tour.select(".snippet:has(.device-absence):not(#add-mxnet *)")
    assert texts(plain.select(".device-absence")) == [ABSENT]
    for each in tour.select(".device-absence"):
        assert each["data-device"] == "cuda"


def test_one_switch_stands_beside_the_chooser(tour: Tag) -> None:
    [switch] = tour.select(".device-switch")
    assert tour.select(".chooser + .tab-absence + .device-switch") == [switch]
    row = switch.select_one("[role=radiogroup]")
    assert row is not None
    assert words(tour.select_one(f"#{row['aria-labelledby']}") or row) == "Device"
    assert [each["value"] for each in switch.select("input[type=radio]")] == ["cpu", "cuda"]


def test_the_script_stands_in_the_head_and_nothing_else_is_live(site: Settings) -> None:
    _record_cuda(site)
    built = build(site.root)
    head, _, body = built.text("tour.html").partition("</head>")
    [script] = re.findall(r'<script src="(_static/first\.[0-9a-f]{12}\.js)"></script>', head)
    assert ".device-switch" in built.text(script)
    assert "<script" not in body
    assert "style=" not in body.partition("<article")[2].partition("</article>")[0]


def test_ids_stay_unique(site: Settings) -> None:
    _record_cuda(site)
    write(site.docs, {"tour.md": "# Tour\n" + "\n:::{snippet} add\n:::\n" * 2})
    found = [str(each["id"]) for each in build(site.root).page("tour").select("[id]")]
    assert len(found) == len(set(found))
    assert {"add-torch-cuda", "add-2-torch-cuda"} <= set(found)


# What is stale


def test_what_is_stale_on_cuda_is_left_out_and_named(site: Settings) -> None:
    _record_cuda(site)
    write(site.snippets, {"tour/torch.py": "# %% add\nx = 4\n\n# %% twice\n2\n"})
    record(site)
    built = build(site.root, polytab_strict=True)
    assert built.warnings == ""
    page = built.page("tour")
    assert texts(page.select(".notice")) == [
        "Recorded on CUDA before the last edit, and left out: PyTorch."
    ]
    assert not page.select(".device-part, .device-absence, .device-switch")
    assert "from the GPU" not in words(page)


def test_what_is_stale_on_the_cpu_does_not_touch_what_is_fresh_on_cuda(site: Settings) -> None:
    write(site.snippets, {"tour/torch.py": "# %% add\nx = 4\n\n# %% twice\n2\n"})
    _record_cuda(load_settings(site.root))
    cpu, cuda = build(site.root).page("tour").select("#add-torch .device-part")
    assert len(cpu.select(".notice")) == 1
    assert not cuda.select(".notice")


def test_a_damaged_recording_of_cuda_is_left_out(site: Settings) -> None:
    _record_cuda(site)
    path = site.recordings / "tour" / "torch.cuda.ipynb"
    path.write_bytes(path.read_bytes()[:-9])
    page = build(site.root).page("tour")
    assert not page.select(".device-part, .device-switch")


def test_a_page_is_read_again_when_a_recording_of_cuda_comes_and_goes(site: Settings) -> None:
    build(site.root)
    _record_cuda(site)
    assert build(site.root).read == ("tour",)
    pinned = site.environments / "torch.cuda.txt"
    pinned.write_text(pinned.read_text("utf-8") + "torch==1.0\n", encoding="utf-8")
    assert build(site.root).read == ("tour",)


# Numbers, verdicts, charts


@pytest.fixture
def speed(tmp_path: Path) -> Built:
    """Measure: on the CPU compiling costs torch, on CUDA it pays; JAX and MXNet have no CUDA."""
    numbers = NumbersSite.copy(tmp_path)
    for framework in ("torch", "mxnet", "jax"):
        numbers.record(framework, EAGER_WINS)
    numbers.record("torch", COMPILED_WINS, device="cuda")
    built = numbers.build()
    assert "[polytab" not in built.warnings.replace("plain.md", "")
    return built


def test_a_number_stands_once_for_each_device_with_its_name(speed: Built) -> None:
    page = speed.page("speed")
    first, second = [each for each in page.select("p > .number") if "data-device" in each.attrs][:2]
    assert (first["data-device"], second["data-device"]) == ("cpu", "cuda")
    assert str(first["title"]).startswith("PyTorch 7.4.0 · CPU: ")
    assert str(second["title"]).startswith(f"PyTorch 7.4.0 · {ON_CUDA}")
    said = words(first.parent or page)
    assert said.startswith("One call takes 50.0 µs (CPU)")
    assert " / 146 µs (CUDA)" in said


def test_a_number_of_the_cpu_alone_says_so_to_those_who_chose_cuda(speed: Built) -> None:
    page = speed.page("speed")
    [number] = page.select("[id$=jax] p > .number")
    assert "data-device" not in number.attrs
    label = number.select_one(".device-label")
    assert label is not None
    assert (words(label), label["data-device"]) == ("(CPU)", "cuda")


def test_each_device_has_the_branch_that_is_true_of_it_with_its_own_numbers(speed: Built) -> None:
    parts = [each for each in speed.page("speed").select(".sphinx-tabs .device-part")
             if not each.select(".benchmark")]  # fmt: skip
    cpu, cuda = parts
    for each in parts:
        for origin in each.select(".number-origin"):
            origin.decompose()
    assert words(cpu) == "CPU Compiling costs: a factor of 0.625."
    assert words(cuda) == "CUDA Compiling pays, by a factor of 1.46."
    assert not [*cpu.select("[data-device]"), *cuda.select("[data-device]")]


def test_outside_of_tabs_a_verdict_names_who_was_measured_on_the_device(speed: Built) -> None:
    article = speed.page("speed")
    parts = [each for each in article.select(".device-part:not(.sphinx-tabs *)")
             if not each.select(".benchmark")]  # fmt: skip
    assert texts(parts) == [
        "CPU In all three: Compiling costs more than it saves.",
        "CUDA PyTorch: Compiling pays. Not measured on CUDA: MXNet and JAX.",
    ]


def test_each_device_has_a_chart_of_its_own(speed: Built) -> None:
    page = speed.page("speed")
    cpu, cuda = page.select(".device-part:has(.benchmark):not(.sphinx-tabs *)")
    assert "NVIDIA" not in words(cpu)
    assert "A Processor" not in words(cuda)
    assert texts(cuda.select(".chart .title")) == ["PyTorch"]
    assert texts(cuda.select(".notice")) == ["Not measured on CUDA: MXNet and JAX."]


def test_a_place_without_cuda_on_a_page_with_it_says_so(tmp_path: Path) -> None:
    numbers = NumbersSite.copy(tmp_path)
    for framework in ("torch", "mxnet", "jax"):
        numbers.record(framework, EAGER_WINS)
    numbers.record("jax", COMPILED_WINS, device="cuda")
    page = numbers.build().page("speed")
    inside = page.select(".sphinx-tabs .device-absence")
    assert texts(inside) == [ABSENT, ABSENT]  # a chart and a verdict of PyTorch
    assert all(each.find_next_sibling() for each in inside)


# Languages


def test_a_reason_is_a_message_once_there_is_cuda_beside_it(site: Settings) -> None:
    sources = {entry.source for template in extract(site) for entry in template.entries}
    assert NO_CUDA not in sources
    _record_cuda(site)
    [tour] = [each for each in extract(site) if each.name == "snippets/tour"]
    assert NO_CUDA in {entry.source for entry in tour.entries}


def test_a_reason_that_is_not_translated_says_that_it_is_english(tmp_path: Path) -> None:
    numbers = NumbersSite.copy(tmp_path)
    settings = load_settings(numbers.root)
    for script in load_scripts(settings, ["speed"]):
        numbers.record(script.framework, EAGER_WINS)
    assert find_recording(settings, script).fresh
    numbers.record("torch", COMPILED_WINS, device="cuda")
    numbers.write("docs/speed.md", "# Speed\n\n:::{snippet} forward\n:::\n")
    [said] = numbers.build(language="zh_CN").page("speed").select("[id$=mxnet] .device-absence")
    assert words(said) == f"{NO_CUDA} 显示的是CPU上的结果。"
    assert [words(each) for each in said.select("[lang=en]")] == [NO_CUDA]
