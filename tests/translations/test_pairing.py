"""What a catalog keeps when its page changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from polytab.translations.catalogs import Catalog, Entry, Template
from polytab.translations.pairing import update_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FASTER = "Compiling is faster on the CPU."
SLOWER = "Compiling is slower on the CPU."


def page(*sources: str) -> Template:
    return Template("page", tuple(Entry(source) for source in sources))


def follow(old: Catalog | None, *sources: str) -> Catalog:
    return update_catalog(old, page(*sources), "zh_CN", "A Tiny Handbook")


def translated(*sources: str) -> Catalog:
    """Return the catalog of a page, every message translated."""
    catalog = follow(None, *sources)
    entries = tuple(replace(each, translation=f"«{each.source}»") for each in catalog.entries)
    return replace(catalog, entries=entries)


def said(catalog: Catalog) -> list[tuple[str, str, str | None]]:
    return [(each.source, each.translation, each.previous) for each in catalog.entries]


def test_a_new_catalog_has_the_messages_of_its_page() -> None:
    assert follow(None, "One.", "Two.").entries == (Entry("One."), Entry("Two."))


def test_a_translation_stays_with_its_english_wherever_it_moves() -> None:
    catalog = follow(translated("One.", "Two.", "Three."), "Three.", "New.", "One.")
    assert said(catalog) == [
        ("Three.", "«Three.»", None),
        ("New.", "", None),
        ("One.", "«One.»", None),
    ]


def test_a_new_sentence_beside_a_similar_one_is_not_translated() -> None:
    catalog = follow(translated("A.", FASTER, "B."), "A.", FASTER, SLOWER, "B.")
    assert said(catalog)[1:3] == [(FASTER, f"«{FASTER}»", None), (SLOWER, "", None)]


def test_a_changed_sentence_keeps_its_old_translation_marked() -> None:
    catalog = follow(translated("A.", FASTER, "B."), "A.", SLOWER, "B.")
    assert catalog.entries[1] == Entry(SLOWER, f"«{FASTER}»", fuzzy=True, previous=FASTER)
    assert not catalog.obsolete


def test_the_first_and_the_last_sentence_of_a_page_have_a_place_too() -> None:
    catalog = follow(translated("A.", "B.", "C."), "X.", "B.", "Y.")
    assert said(catalog) == [("X.", "«A.»", "A."), ("B.", "«B.»", None), ("Y.", "«C.»", "C.")]


def test_two_changed_neighbours_are_not_guessed_at() -> None:
    catalog = follow(translated("A.", "B.", "C.", "D."), "A.", "X.", "Y.", "D.")
    assert said(catalog)[1:3] == [("X.", "", None), ("Y.", "", None)]
    assert catalog.obsolete == (Entry("B.", "«B.»"), Entry("C.", "«C.»"))


def test_a_sentence_that_left_its_neighbours_has_no_place() -> None:
    catalog = follow(translated("A.", "B.", "C.", "D."), "A.", "C.", "X.", "D.")
    assert said(catalog)[2] == ("X.", "", None)
    assert catalog.obsolete == (Entry("B.", "«B.»"),)


def test_a_sentence_between_other_neighbours_has_no_place() -> None:
    old = translated("A.", "B.", "C.", "D.", "E.")
    for page in (["A.", "X.", "D.", "C.", "E."], ["D.", "X.", "C.", "A.", "E."]):
        catalog = follow(old, *page)
        assert catalog.entries[1] == Entry("X.")
        assert Entry("B.", "«B.»") in catalog.obsolete


def test_a_translation_of_its_own_wins_over_one_that_was_carried_along() -> None:
    carried = Entry("X.", "old", fuzzy=True, previous="A.")
    old = replace(follow(None, "X.", "A."), entries=(carried, Entry("A.", "new")))
    assert follow(old, "X.", "A.") == old
    assert said(follow(old, "A.")) == [("A.", "new", None)]


def test_a_second_change_is_shown_against_the_english_that_was_translated() -> None:
    catalog = follow(follow(translated("A.", "B."), "A.", "X."), "A.", "Y.")
    assert catalog.entries[1] == Entry("Y.", "«B.»", fuzzy=True, previous="B.")


def test_a_change_taken_back_leaves_no_mark() -> None:
    old = translated("A.", "B.")
    assert follow(follow(old, "A.", "X."), "A.", "B.") == old


def test_a_sentence_that_comes_back_has_its_translation() -> None:
    old = translated("A.", "B.", "C.")
    without = follow(old, "A.", "C.")
    assert without.obsolete == (Entry("B.", "«B.»"),)
    assert follow(without, "A.", "B.", "C.") == old


def test_the_place_of_an_untranslated_sentence_gives_nothing() -> None:
    catalog = follow(follow(None, "A.", "B."), "A.", "X.")
    assert catalog.entries[1] == Entry("X.")
    assert not catalog.obsolete


def test_what_translators_wrote_beside_a_message_stays() -> None:
    old = translated("A.", "B.")
    noted = replace(old.entries[1], comments=("Not sure.",))
    old = replace(old, entries=(old.entries[0], noted), comments=("By many hands.",))
    for catalog in (follow(old, "A.", "B."), follow(old, "A.", "X.")):
        assert catalog.entries[1].comments == ("Not sure.",)
        assert catalog.comments == ("By many hands.",)
    assert follow(old, "A.").obsolete[0].comments == ("Not sure.",)


def test_a_translators_doubt_stays_while_the_english_does() -> None:
    old = translated("A.", "B.")
    doubted = replace(old.entries[1], fuzzy=True)
    old = replace(old, entries=(old.entries[0], doubted))
    assert follow(old, "A.", "B.") == old
    assert follow(old, "A.", "X.").entries[1].previous == "B."


def test_locations_are_those_of_the_page() -> None:
    old = replace(translated("A."), entries=(Entry("A.", "«A.»", locations=("docs/old.md",)),))
    template = Template("page", (Entry("A.", locations=("docs/new.md",)),))
    catalog = update_catalog(old, template, "zh_CN", "A Tiny Handbook")
    assert catalog.entries[0].locations == ("docs/new.md",)


PLACED = Entry("A.", "«A.»", locations=("docs/page.md:3",))


def _placed(old: Entry, *new: Entry) -> list[tuple[str, ...]]:
    """Return the places of a catalog with one message after its page was edited."""
    template = Template("page", tuple(new))
    updated = update_catalog(Catalog((old,)), template, "zh_CN", "A Tiny Handbook")
    return [entry.locations for entry in updated.entries]


def test_a_catalog_whose_messages_only_moved_is_left_alone() -> None:
    moved = Entry("A.", locations=("docs/page.md:30",))
    assert _placed(PLACED, moved) == [("docs/page.md:3",)]


def test_where_a_message_is_new_all_lines_are_brought_up_to_date() -> None:
    new = Entry("B.", locations=("docs/page.md:3",))
    moved = Entry("A.", locations=("docs/page.md:5",))
    assert _placed(PLACED, new, moved) == [("docs/page.md:3",), ("docs/page.md:5",)]


def test_a_place_without_a_line_gets_one() -> None:
    without = replace(PLACED, locations=("docs/page.md",))
    assert _placed(without, Entry("A.", locations=("docs/page.md:5",))) == [("docs/page.md:5",)]


def test_the_header_is_what_gettext_wants_and_tools_wrote_and_bears_no_extraction_date() -> None:
    theirs = (
        ("Last-Translator", "somebody"),
        ("POT-Creation-Date", "2026-01-02 03:04+0800"),
        ("Language", "zh_Hans"),
        ("X-Generator", "a tool"),
    )
    assert follow(Catalog((), fields=theirs)).fields == (
        ("Project-Id-Version", "A Tiny Handbook"),
        ("PO-Revision-Date", ""),
        ("Last-Translator", "somebody"),
        ("Language-Team", ""),
        ("Language", "zh_Hans"),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
        ("Plural-Forms", "nplurals=1; plural=0;"),
        ("X-Generator", "a tool"),
    )


@st.composite
def pages(draw: st.DrawFn) -> list[str]:
    """Return one of many pages that are alike: some sentences left out, moved or put in."""
    sources = [source for source in "ABCDE" if draw(st.integers(0, 3))]
    for source in draw(st.lists(st.sampled_from("UVWXYZ"), unique=True, max_size=3)):
        sources.insert(draw(st.integers(0, len(sources))), source)
    if draw(st.booleans()) and sources:
        moved = sources.pop(draw(st.integers(0, len(sources) - 1)))
        sources.insert(draw(st.integers(0, len(sources))), moved)
    return sources


SOURCES = pages()


@st.composite
def histories(draw: st.DrawFn) -> Catalog:
    """Return a catalog that followed a page, while translators did some of their work."""
    catalog: Catalog | None = None
    for sources in draw(st.lists(SOURCES, min_size=1, max_size=4)):
        catalog = follow(catalog, *sources)
        entries = [
            replace(each, translation=f"«{each.source}»", fuzzy=False, previous=None)
            if draw(st.booleans())
            else each
            for each in catalog.entries
        ]
        catalog = replace(catalog, entries=tuple(entries))
    assert catalog is not None
    return catalog


def translations(catalog: Catalog) -> Mapping[str, str]:
    """Return what a catalog knows, by the English it was made from."""
    return {
        each.english: each.translation
        for each in (*catalog.entries, *catalog.obsolete)
        if each.translation
    }


def neighbours(source: str, sources: Sequence[str], stayed: set[str]) -> tuple[str | None, ...]:
    """Return the nearest messages that stayed, before and behind; None at the ends."""
    at = sources.index(source)
    before = [each for each in sources[:at] if each in stayed]
    behind = [each for each in sources[at:] if each in stayed]
    return (before[-1] if before else None, behind[0] if behind else None)


@given(histories(), SOURCES)
def test_no_english_loses_its_translation(old: Catalog, sources: list[str]) -> None:
    new = follow(old, *sources)
    assert translations(new) == translations(old)
    assert [each.source for each in new.entries] == sources


@given(histories(), SOURCES)
def test_every_message_is_translated_whose_english_was(old: Catalog, sources: list[str]) -> None:
    for entry in follow(old, *sources).entries:
        if entry.source in translations(old):
            assert (entry.translation, entry.fuzzy) == (translations(old)[entry.source], False)


@given(histories(), SOURCES)
def test_only_place_makes_a_message_fuzzy(old: Catalog, sources: list[str]) -> None:
    before = [each.source for each in old.entries]
    stayed = {*before} & {*sources}
    places = {each: neighbours(each, before, stayed) for each in before if each not in stayed}
    new_places = {each: neighbours(each, sources, stayed) for each in sources if each not in stayed}
    for entry in follow(old, *sources).entries:
        if not entry.fuzzy or entry.source in stayed:
            continue
        place = new_places[entry.source]
        assert list(new_places.values()).count(place) == 1
        [gone] = [each for each in before if places.get(each) == place]
        assert [each.english for each in old.entries if each.source == gone] == [entry.english]


@given(histories(), SOURCES)
def test_following_twice_changes_nothing(old: Catalog, sources: list[str]) -> None:
    new = follow(old, *sources)
    assert follow(new, *sources) == new


@given(SOURCES, SOURCES, st.data())
def test_going_back_restores_the_catalog(
    before: list[str], behind: list[str], data: st.DataObject
) -> None:
    old = follow(None, *before)
    entries = [
        replace(each, translation=f"«{each.source}»") if data.draw(st.booleans()) else each
        for each in old.entries
    ]
    old = replace(old, entries=tuple(entries))
    assert follow(follow(old, *behind), *before) == old


@given(SOURCES, st.data())
def test_one_changed_sentence_makes_exactly_that_one_outdated(
    sources: list[str], data: st.DataObject
) -> None:
    if not sources:
        return
    changed = data.draw(st.integers(0, len(sources) - 1))
    rewritten = [*sources]
    rewritten[changed] = "Changed."
    catalog = follow(translated(*sources), *rewritten)
    assert [each.source for each in catalog.entries if each.fuzzy] == ["Changed."]
    assert catalog.entries[changed].translation == f"«{sources[changed]}»"
