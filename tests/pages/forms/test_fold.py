"""What only some readers need is folded away; nothing of it is lost in any format or language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.forms_site import FORMS, write_forms
from tests.support.numbers_site import NumbersSite, words

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.built import Built

TITLE = "For those who write C"


def test_nothing_is_complained_of(built: Built) -> None:
    assert built.warnings == ""


def test_a_fold_stands_open_under_its_title(built: Built) -> None:
    first, second = built.page("speed").select("details.fold:not([id^=solution])")
    assert [words(each) for each in first.select("summary.form-title")] == [TITLE]
    assert first.summary is not None
    assert first.summary.em is not None
    assert first.has_attr("open")
    assert "Words in the fold." in words(first)
    assert len(first.select(".snippet")) == 3
    assert words(second) == f"{TITLE} More words, under the same title."


def test_ids_are_made_from_titles_and_differ(built: Built) -> None:
    folds = built.page("speed").select("details.fold")
    name = "fold-for-those-who-write-c"
    assert [each["id"] for each in folds] == [name, f"{name}-2", "solution-1"]


def test_a_name_is_what_links_lead_to(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    text = (
        "# Plain\n\nSee {ref}`there <deep>`.\n\n:::{fold} For readers\n:name: deep\n\nWords.\n:::\n"
    )
    site.write("docs/plain.md", text)
    page = site.build().page("plain")
    assert page.select_one("details#deep") is not None
    [link] = page.select("p a.internal")
    assert link["href"] == "#deep"


@pytest.mark.parametrize("name", ["fold", "exercise", "solution", "glance", "opening"])
def test_a_form_with_nothing_in_it_is_an_error(tmp_path: Path, name: str) -> None:
    site = NumbersSite.copy(tmp_path)
    argument = "" if name == "glance" else "words"
    site.write("docs/plain.md", f"# Plain\n\n:::{{{name}}} {argument}\n:::\n")
    assert "docs/plain.md:3: ERROR: " in site.build().warnings


def test_only_pages_with_folds_load_the_script(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    site.write("docs/plain.md", "# Plain\n\nNothing is folded.\n")
    built = site.build()
    early = built.app.outdir.glob("_static/first.*.js")
    [script] = [each for each in early if "details.fold" in each.read_text(encoding="utf-8")]
    assert script.name in built.text("speed.html")
    assert script.name not in built.text("plain.html")


def test_its_title_and_its_words_are_messages(tmp_path: Path) -> None:
    site = write_forms(tmp_path)
    found = site.build("gettext").text("speed.pot")
    said = [
        *("Why is the *first* call slow?", "Whoever calls a model for the first time."),
        *("What to see in it.", "How much it costs.", "What compiles", "hybrid blocks"),
        *("For those who write *C*", "Words in the fold.", "Which is faster?"),
        *("Guess before you measure.", "The compiled one."),
    ]
    for message in said:
        assert message in FORMS
        assert f'msgid "{message}"' in found
    for ours in ("Exercise", "Solution", "For whom", "minutes", "Nothing here"):
        assert f'msgid "{ours}' not in found
