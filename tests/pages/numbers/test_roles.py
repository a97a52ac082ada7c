"""A measured number in a sentence: found by its place, in every language and format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tests.support.numbers_site import (
    COMPILED_WINS,
    EAGER_WINS,
    How,
    NumbersSite,
    complaints,
    seen,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> NumbersSite:
    made = NumbersSite.copy(tmp_path_factory.mktemp("numbers"))
    made.record("torch", COMPILED_WINS)
    made.record("mxnet", EAGER_WINS)
    made.record("jax", {"eager": 5.5e-3, "compiled": 4e-3})
    made.record("python", {"loop": 1e-3, "built in": 2.5e-4}, page="plain")
    return made


@pytest.fixture(scope="module")
def built(site: NumbersSite) -> Built:
    return site.build()


def numbers(built: Built, page: str) -> list[str]:
    """Return the numbers that the sentences of a page hold."""
    found = built.page(page).select("span.number")
    return [str(each.contents[0]).replace(SPACE, " ") for each in found]


def test_nothing_is_complained_of(built: Built) -> None:
    assert built.warnings == ""


def test_each_number_is_of_the_framework_in_whose_tab_it_stands(built: Built) -> None:
    assert numbers(built, "speed") == ["146 µs", "1.50 s", "1.46", "5.50 ms"]


def test_a_page_of_plain_python_needs_no_tab(built: Built) -> None:
    assert numbers(built, "plain") == ["1.00 ms", "4.0"]


def test_a_number_says_where_it_comes_from_to_the_eye_and_to_the_ear(built: Built) -> None:
    found = built.page("speed").select("span.number")
    origin = "PyTorch 7.4.0 · CPU: A Processor (2) · 2 January 2026"
    assert found[0]["title"] == origin
    interval, _, rest = str(found[2]["title"]).partition(" · ")
    assert interval.startswith("95 % interval: 1.4")
    assert rest == origin
    for each in found:
        [hidden] = each.select(".number-origin")
        assert hidden.get_text() == f" ({each['title']})"


def test_a_number_of_a_script_that_was_edited_since_says_so(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.record("python", {"loop": 1e-3, "built in": 2.5e-4}, page="plain")
    script = site.root / "snippets" / "plain" / "python.py"
    script.write_text(script.read_text("utf-8") + "\n# %% more\nx = 1\n", encoding="utf-8")
    built = site.build()
    assert numbers(built, "plain") == ["1.00 ms", "4.0"]
    for each in built.page("plain").select("span.number"):
        assert str(each["title"]).endswith(" · recorded before the last edit")


def test_one_process_has_no_interval_to_tell(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.record("python", {"loop": 1e-3, "built in": 2.5e-4}, page="plain", how=How(processes=1))
    ratio = site.build().page("plain").select("span.number")[1]
    assert str(ratio["title"]).startswith("Python 7.4.0")


def test_another_recording_changes_the_number_with_no_edit(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.record("python", {"loop": 1e-3, "built in": 2.5e-4}, page="plain")
    assert numbers(site.build(), "plain") == ["1.00 ms", "4.0"]
    site.record("python", {"loop": 1e-3, "built in": 5e-3}, page="plain")
    assert numbers(site.build(), "plain") == ["1.00 ms", "0.20"]


def test_a_number_survives_the_translation_of_its_sentence(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    for framework in ("torch", "mxnet", "jax"):
        site.record(framework, COMPILED_WINS)
    catalog = Catalog(locale="pt_BR")
    catalog.add(
        "One call takes {measured}`forward: eager`, and "
        "{measured}`forward: compiled first call` where it is the first.",
        "A primeira chamada leva {measured}`forward: compiled first call`, "
        "as outras {measured}`forward: eager`.",
    )
    catalog.add(
        "Compiling pays, by a factor of {ratio}`forward: compiled vs eager`.",
        "Compilar compensa: {ratio}`forward: compiled vs eager` vezes.",
    )
    compiled = site.root / "_build" / "locale" / "pt_BR" / "LC_MESSAGES" / "speed.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, catalog)
    text = seen(site.build(language="pt_BR"), "speed").replace(SPACE, " ")
    assert "A primeira chamada leva 1,50 s, as outras 146 µs." in text
    assert "Compilar compensa: 1,46 vezes." in text


def test_numbers_follow_the_language(site: NumbersSite) -> None:
    assert numbers(site.build(language="pt_BR"), "speed") == ["146 µs", "1,50 s", "1,46", "5,50 ms"]
    chinese = site.build(language="zh_CN")
    assert numbers(chinese, "speed") == ["146 µs", "1.50 s", "1.46", "5.50 ms"]
    assert str(chinese.page("speed").select("span.number")[0]["title"]).endswith("2026年1月2日")


@pytest.mark.parametrize(("builder", "file"), [("text", "speed.txt"), ("latex", "numbers.tex")])
def test_other_formats_find_the_same_numbers(site: NumbersSite, builder: str, file: str) -> None:
    built = site.build(builder)
    assert built.warnings == ""
    text = built.text(file)
    assert "by a factor of 1.46." in " ".join(text.split())
    assert "PyTorch\xa07.4.0 · CPU" in text


def test_a_number_outside_tabs_may_wait_for_plain_python(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("docs/plain.md", "# Plain\n\nIt takes {measured}`loop: loop`.\n")
    built = site.build()
    assert complaints(built, "plain") == []
    assert "It takes [not measured yet]." in seen(built, "plain")
