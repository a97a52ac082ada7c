"""Only what passed the lint is compiled; the rest is told, and counts as missing."""

from __future__ import annotations

import gettext
import os
import shutil
import tomllib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from polytab.recordings.atomic import write_atomic
from polytab.translations import compiled as module
from polytab.translations.catalogs import Entry, catalog_path, glossary_path
from polytab.translations.compiled import PageMessage, State, compile_catalogs, load_messages
from tests.support.handbook import write
from tests.translations.corpus import FIXTURES
from tests.translations.tongues import with_languages, write_catalog

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from polytab.model import Language
    from polytab.settings import Settings

CATALOGS = FIXTURES / "catalogs"
EXPECTED = tomllib.loads((CATALOGS / "expected.toml").read_text(encoding="utf-8"))


@pytest.fixture
def settings(handbook: Settings) -> Settings:
    return with_languages(handbook)


@pytest.fixture
def portuguese(settings: Settings) -> Language:
    return settings.language("pt")


def shown(settings: Settings, language: Language, name: str) -> Mapping[str, str]:
    """Read a compiled catalog as Sphinx will."""
    read = gettext.translation(name, settings.locale, [language.locale])
    return {source: text for source, text in vars(read)["_catalog"].items() if source}


def rules(settings: Settings, language: Language) -> list[str]:
    return [finding.rule for finding in compile_catalogs(settings, language)]


def line_of(path: Path, source: str) -> int:
    return path.read_text(encoding="utf-8").split("\n").index(f'msgid "{source}"') + 1


def test_every_translation_that_passes_is_shown(settings: Settings, portuguese: Language) -> None:
    path = write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."), Entry("No."))
    assert compile_catalogs(settings, portuguese) == ()
    assert shown(settings, portuguese, "tour") == {"Yes.": "Sim."}
    assert load_messages(settings, portuguese, "tour") == (
        PageMessage("Yes.", State.TRANSLATED, "Sim.", shown=True, line=line_of(path, "Yes.")),
        PageMessage("No.", State.MISSING, "", shown=False, line=line_of(path, "No.")),
    )


def test_a_translation_that_fails_is_told_and_missing(
    settings: Settings, portuguese: Language
) -> None:
    hostile = Entry("No.", "Não. <script>alert(1)</script>")
    path = write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."), hostile)
    [finding, *_] = compile_catalogs(settings, portuguese)
    line = line_of(path, "No.")
    assert (finding.file, finding.line, finding.rule) == (path, line, "raw-html")
    assert shown(settings, portuguese, "tour") == {"Yes.": "Sim."}
    [_, missing] = load_messages(settings, portuguese, "tour")
    assert missing == PageMessage("No.", State.MISSING, "", shown=False, line=line)
    compiled = settings.locale.rglob("tour.*")
    assert not any(b"script" in path.read_bytes() for path in compiled)


def test_an_outdated_translation_stays_where_it_can_stand(
    settings: Settings, portuguese: Language
) -> None:
    write_catalog(
        settings,
        portuguese,
        "tour",
        Entry("It is slow.", "É rápido.", fuzzy=True, previous="It is fast."),
        Entry("Call `net`.", "Chame.", fuzzy=True, previous="Call."),
        Entry("Maybe.", "Talvez.", fuzzy=True),
    )
    assert compile_catalogs(settings, portuguese) == ()
    assert shown(settings, portuguese, "tour") == {"It is slow.": "É rápido.", "Maybe.": "Talvez."}
    stands, does_not, doubted = load_messages(settings, portuguese, "tour")
    assert (stands.state, stands.shown, stands.previous) == (State.OUTDATED, True, "It is fast.")
    assert (does_not.state, does_not.shown, does_not.previous) == (State.OUTDATED, False, "Call.")
    assert does_not.translation == "Chame."
    assert (doubted.state, doubted.shown, doubted.previous) == (State.OUTDATED, True, None)


def test_a_previous_english_that_hides_characters_is_not_passed_on(
    settings: Settings, portuguese: Language
) -> None:
    forged = Entry("It is slow.", "É rápido.", fuzzy=True, previous="It is \u202efast.")
    write_catalog(settings, portuguese, "tour", forged)
    compile_catalogs(settings, portuguese)
    [message] = load_messages(settings, portuguese, "tour")
    assert message.previous is None


def test_obsolete_translations_are_not_compiled(settings: Settings, portuguese: Language) -> None:
    path = write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."))
    write_atomic(path, path.read_bytes() + b'\n#~ msgid "No."\n#~ msgstr "<b>"\n')
    assert rules(settings, portuguese) == []
    assert shown(settings, portuguese, "tour") == {"Yes.": "Sim."}


def test_the_glossary_holds(settings: Settings, portuguese: Language) -> None:
    write_atomic(glossary_path(settings, portuguese), b'[terms]\n"graph" = ["grafo"]\n')
    write_catalog(settings, portuguese, "tour", Entry("A graph.", "Um desenho."))
    assert rules(settings, portuguese) == ["glossary"]


def test_a_glossary_that_cannot_be_read_stops_nothing(
    settings: Settings, portuguese: Language
) -> None:
    write_atomic(glossary_path(settings, portuguese), b"[terms\n")
    write_catalog(settings, portuguese, "tour", Entry("A graph.", "Um grafo."))
    [finding] = compile_catalogs(settings, portuguese)
    assert (finding.file, finding.rule) == (glossary_path(settings, portuguese), "glossary")
    assert shown(settings, portuguese, "tour") == {"A graph.": "Um grafo."}


def test_comments_are_no_markdown_but_stay_comments(
    settings: Settings, portuguese: Language
) -> None:
    write_catalog(
        settings,
        portuguese,
        "snippets/tour",
        Entry("Skip x.", "Pule x."),
        Entry("Say *x.", "Diga *x."),
        Entry("Leave it.", "Deixe. type: ignore"),
        Entry("Now slower.", "Mais rápido.", fuzzy=True, previous="Now faster."),
    )
    assert rules(settings, portuguese) == ["comment"]
    assert shown(settings, portuguese, "snippets/tour") == {
        "Skip x.": "Pule x.",
        "Say *x.": "Diga *x.",
    }
    states = [each.state for each in load_messages(settings, portuguese, "snippets/tour")]
    assert states == [State.TRANSLATED, State.TRANSLATED, State.MISSING, State.OUTDATED]


def test_compiling_again_writes_nothing(settings: Settings, portuguese: Language) -> None:
    write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."))
    write_catalog(settings, portuguese, "snippets/tour", Entry("Yes.", "Sim."))
    compile_catalogs(settings, portuguese)
    compiled = [path for path in settings.locale.rglob("*") if path.is_file()]
    assert len(compiled) == 5  # two of each catalog, and what they were compiled from
    this_year = str(datetime.now(UTC).year).encode()
    assert not any(this_year in path.read_bytes() for path in compiled)
    for path in compiled:
        os.utime(path, (1, 1))
    compile_catalogs(settings, portuguese)
    assert {path.stat().st_mtime for path in compiled} == {1}


def test_what_was_compiled_from_a_catalog_that_is_gone_goes_too(
    settings: Settings, portuguese: Language
) -> None:
    for name in ("tour", "end"):
        write_catalog(settings, portuguese, name, Entry("Yes.", "Sim."))
    compile_catalogs(settings, portuguese)
    catalog_path(settings, portuguese, "end").unlink()
    compile_catalogs(settings, portuguese)
    compiled = (settings.locale / "pt_BR" / "LC_MESSAGES").rglob("*.*")
    assert sorted(path.name for path in compiled) == ["tour.json", "tour.mo"]
    assert load_messages(settings, portuguese, "end") == ()


def test_nothing_is_left_of_a_catalog_that_broke(settings: Settings, portuguese: Language) -> None:
    path = write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."))
    compile_catalogs(settings, portuguese)
    write_atomic(path, path.read_bytes()[:-3])
    assert rules(settings, portuguese) == ["truncated"]
    assert shown(settings, portuguese, "tour") == {}
    assert load_messages(settings, portuguese, "tour") == ()


@pytest.mark.parametrize("name", EXPECTED)
def test_a_broken_or_hostile_catalog_is_refused_and_the_others_build(
    settings: Settings, portuguese: Language, name: str
) -> None:
    expected: dict[str, Any] = EXPECTED[name]
    hostile = catalog_path(settings, portuguese, "hostile")
    hostile.parent.mkdir(parents=True)
    shutil.copyfile(CATALOGS / f"{name}.po", hostile)
    write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."))
    findings = compile_catalogs(settings, portuguese)
    assert {finding.rule for finding in findings} == {*expected["rules"]}
    assert {finding.file for finding in findings} <= {hostile}
    assert [*shown(settings, portuguese, "hostile")] == sorted(expected["passes"])
    assert shown(settings, portuguese, "tour") == {"Yes.": "Sim."}


def test_every_catalog_of_the_corpus_is_expected() -> None:
    assert sorted(EXPECTED) == sorted(path.stem for path in CATALOGS.glob("*.po"))


def _checked(
    settings: Settings, language: Language, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], list[str]]:
    """Compile a language; return the catalogs that were checked for it, and the rules broken."""
    checked: list[str] = []
    check = module._check_catalog

    def note(name: str, *rest: Any) -> Any:  # noqa: ANN401  # as the function that it calls
        checked.append(name)
        return check(name, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(module, "_check_catalog", note)
        return checked, rules(settings, language)


def test_a_catalog_that_is_the_same_is_not_checked_again(
    settings: Settings, portuguese: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."))
    write_catalog(settings, portuguese, "end", Entry("No.", "Não."))
    assert _checked(settings, portuguese, monkeypatch) == (["end", "tour"], [])
    assert _checked(settings, portuguese, monkeypatch) == ([], [])
    write_catalog(settings, portuguese, "end", Entry("No.", "Nunca."))
    assert _checked(settings, portuguese, monkeypatch) == (["end"], [])
    assert shown(settings, portuguese, "end") == {"No.": "Nunca."}
    write(settings.root, {"translations/pt_BR/glossary.toml": "# none\n"})
    assert _checked(settings, portuguese, monkeypatch) == (["end", "tour"], [])


def test_a_finding_is_told_each_time(
    settings: Settings, portuguese: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalog(settings, portuguese, "tour", Entry("No.", "Não. <b>"))
    first = _checked(settings, portuguese, monkeypatch)
    assert first[0] == ["tour"]
    assert first[1]
    assert _checked(settings, portuguese, monkeypatch) == first


@pytest.mark.parametrize("name", ["tour.mo", "tour.json", "../compiled.json"])
@pytest.mark.parametrize("text", ["", "[]", '{"tour": 1}', '{"tour": ["a"]}'])
def test_what_is_not_as_it_was_left_is_compiled_again(
    settings: Settings, portuguese: Language, name: str, text: str
) -> None:
    write_catalog(settings, portuguese, "tour", Entry("Yes.", "Sim."))
    assert rules(settings, portuguese) == []
    path = settings.locale / "pt_BR" / "LC_MESSAGES" / name
    before = path.read_bytes()
    path.write_text(text, encoding="utf-8")
    assert rules(settings, portuguese) == []
    assert path.read_bytes() == before
