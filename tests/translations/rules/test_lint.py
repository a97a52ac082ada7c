from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import example, given
from hypothesis import strategies as st
from myst_parser.parsers.docutils_ import Parser

from polytab.translations.rules import characters
from polytab.translations.rules.glossary import Glossary, Term, load_glossary
from polytab.translations.rules.lint import (
    LANGUAGE,
    MARKUP,
    PLAIN,
    lint,
    lint_message,
    lint_messages,
    lint_plain,
)
from polytab.translations.rules.message import Message
from polytab.translations.rules.pair import Pair
from polytab.translations.rules.structure import EXTENSIONS, structure
from tests.translations.corpus import FIXTURES, Case, cases
from tests.translations.examples import examples

if TYPE_CHECKING:
    from collections.abc import Sequence


PLACE = Path("zh.po")
GLOSSARY = load_glossary(FIXTURES / "glossary.toml")
CASES = cases()


def message(source: str, translation: str, locale: str = "pt_BR") -> Message:
    return Message(source, translation, PLACE, 7, locale)


def markup_rules(source: str, translation: str) -> set[str]:
    """Name the rules of markup that refuse a translation."""
    return {each.rule for each in lint(Pair(message(source, translation), Glossary()), MARKUP)}


# The corpus


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_refused_by_the_rules_it_names(case: Case) -> None:
    check = lint_plain if case.plain else lint_message
    findings = check(case.message, GLOSSARY if case.name.startswith("glossary") else Glossary())
    assert sorted({each.rule for each in findings}) == sorted(case.rules), findings
    assert all(each.message.isprintable() for each in findings)
    assert not any("<U+E00" in each.message for each in findings)  # our own marks stay inside


def test_a_flood_of_complaints_is_cut() -> None:
    findings = lint_message(message("One. " * 99, " ".join(str(n) for n in range(13, 199))))
    assert len([each for each in findings if each.rule == "numbers"]) == 5


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case.plain], ids=lambda case: case.name
)
def test_sphinx_sees_what_has_no_findings_and_todays_shape(case: Case) -> None:
    glossary = GLOSSARY if case.name.startswith("glossary") else Glossary()
    (checked,) = lint_messages([case.message], glossary)
    assert checked.passed == case.passes


def test_the_corpus_is_large_enough_to_mean_something() -> None:
    bad = [case for case in CASES if case.rules]
    good = [case for case in CASES if case.name.startswith("good-")]
    assert len(bad) >= 60
    assert {case.message.locale for case in good} == {"zh_CN", "pt_BR"}
    assert len(good) >= 60


def test_every_rule_refuses_a_case_of_the_corpus() -> None:
    refused = {name for case in CASES for name in case.rules}
    rules = {*MARKUP, *PLAIN, *LANGUAGE, characters.size}
    assert {rule.__name__.replace("_", "-") for rule in rules} <= refused


# The examples in the docstrings


def findings_of_example(name: str, line: str) -> set[str]:
    source, translation = line.split(" -> ")
    locale = "zh_CN" if re.search("[\u4e00-\u9fff]", translation) else "pt_BR"
    check = lint_plain if name == "html-signs" else lint_message
    return {each.rule for each in check(message(source, translation, locale), GLOSSARY)}


MESSAGE_RULES = tuple(dict.fromkeys((characters.size, *MARKUP, *PLAIN, *LANGUAGE)))


@pytest.mark.parametrize(("name", "line"), examples(MESSAGE_RULES, "Bad"))
def test_a_bad_example_is_refused_by_its_rule(name: str, line: str) -> None:
    assert name in findings_of_example(name, line)


@pytest.mark.parametrize(("name", "line"), examples(MESSAGE_RULES, "Good"))
def test_a_good_example_is_not_refused(name: str, line: str) -> None:
    assert findings_of_example(name, line) == set()


# What a finding says


def test_a_finding_has_the_place_of_the_message_and_says_what_to_do() -> None:
    (finding,) = lint_message(message("Call `net`.", "Chame `rede`."))[:1]
    assert (finding.file, finding.line, finding.rule) == (PLACE, 7, "inline-code")
    assert finding.message == "code `net` of the English is missing: write it as it stands there"


def test_an_untranslated_message_neither_fails_nor_passes() -> None:
    (checked,) = lint_messages([message("Faster.", "")])
    assert (checked.findings, checked.passed) == ((), False)


def test_one_bad_message_does_not_refuse_the_others() -> None:
    checked = lint_messages([message("Yes.", "<b>Sim.</b>"), message("No.", "Não.")])
    assert [each.passed for each in checked] == [False, True]


def test_a_huge_message_is_refused_before_anything_parses_it() -> None:
    def parsed(_: str) -> None:
        pytest.fail("the message was parsed")

    huge = message("Yes.", "[" * 1_000_000)
    pair = Pair(huge, Glossary((Term("yes", ("sim",)),)), parsed)  # type: ignore[arg-type]  # a trap
    assert [each.rule for each in lint(pair, (*MARKUP, *LANGUAGE))] == ["size"]


# Laws

_WORDS = st.sampled_from(["fast", "the graph", "a pass", "slower than", "compiled", "net"])
_NAMES = st.sampled_from(["net", "graph", "forward", "model"])
_PARTS = st.one_of(
    st.builds("[{}](https://docs.python.org/{})".format, _WORDS, _NAMES),
    st.builds("<https://github.com/{}>".format, _NAMES),
    st.builds("{{ref}}`{} <{}>`".format, _WORDS, _NAMES),
    st.builds("{{term}}`{}`".format, _NAMES),
    st.builds("{{math}}`{}^2`".format, _NAMES),
    st.builds("`{}(x)`".format, _NAMES),
    st.builds("*{}*".format, _WORDS),
    st.builds("**{}**".format, _WORDS),
    st.builds("[^{}]".format, _NAMES),
    st.builds("![{}]({}.png)".format, _WORDS, _NAMES),
    st.builds("{{{}}}".format, _NAMES),
)
_ALTERATIONS = {
    "docs.python.org": "example.org",
    "github.com": "example.org",
    "{ref}": "{download}",
    "{term}": "{ref}",
    "^2": "^3",
    "(x)": "(y)",
    "**": "*",
    ".png": ".svg",
    "[^": "[^other-",
}


def sentence(parts: Sequence[str]) -> str:
    """Put parts between words, so that each is read as what it is."""
    return "It is " + " and ".join([*parts, "done"]) + "."


@given(st.lists(_PARTS, max_size=6))
def test_a_copy_passes(parts: list[str]) -> None:
    assert markup_rules(sentence(parts), sentence(parts)) == set()


@given(st.lists(_PARTS, min_size=1, max_size=6), st.data())
def test_every_structural_change_is_found(parts: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(parts) - 1), label="at")
    part = parts[at]
    change = data.draw(st.sampled_from(["drop", "double", "alter"]), label="change")
    if change == "drop":
        changed = [*parts[:at], "nothing", *parts[at + 1 :]]
    elif change == "double":
        changed = [*parts[:at], part, *parts[at:]]
    else:
        changed = [*parts[:at], altered(part), *parts[at + 1 :]]
    complaints = markup_rules(sentence(parts), sentence(changed))
    if part.startswith("`") and change != "alter" and part in changed:
        assert complaints == set()  # how often code is named is free
    else:
        assert complaints != set()


def altered(part: str) -> str:
    """Change what of a part must stay."""
    for sign, other in _ALTERATIONS.items():
        if sign in part:
            return part.replace(sign, other)
    return f"*{part}*" if part.startswith("{") else f"*{part}"


@given(st.lists(_PARTS, min_size=2, max_size=6))
def test_parts_but_footnotes_may_change_their_order(parts: list[str]) -> None:
    movable = [part for part in parts if not part.startswith("[^")]
    assert markup_rules(sentence(movable), sentence(movable[::-1])) == set()


@given(st.text("aA 12.,-_", max_size=30))
def test_english_that_is_its_own_translation_keeps_its_numbers(text: str) -> None:
    findings = lint_message(message(text, text, "en"))
    assert "numbers" not in {each.rule for each in findings}


@given(st.characters())
def test_an_entity_hides_no_character(char: str) -> None:
    entity = f"Uma &#x{ord(char):x}; palavra"
    refused = {each.rule for each in lint_message(message("A word", f"Uma {char} palavra"))}
    if char in structure(entity).prose and refused & {"characters", "one-line"}:
        assert "characters" in {each.rule for each in lint_message(message("A word", entity))}


_SIGNS = st.text(
    st.sampled_from("ab 1-.,:`*_[](){}<>#|\\\n&%^!~+=$\"'@é图”\u202e\u2028\ue001\ufffc")
)


@given(st.text() | _SIGNS, st.text() | _SIGNS, st.sampled_from(["zh_CN", "pt_BR", "ja", "de"]))
@example("---\n:", "---\n{", "pt_BR")
def test_no_text_breaks_the_lint(source: str, translation: str, locale: str) -> None:
    for check in (lint_message, lint_plain):
        findings = check(message(source, translation, locale), GLOSSARY)
        assert all(each.message.isprintable() for each in findings)


_NEARLY_PROSE = st.lists(
    st.sampled_from(["Mais", "rápido", " ", " ", ".", "*", "**", "_", "`", "[", "]", "(", ")", "<"])
    | st.sampled_from([">", "{", "}", "b", "#", "-", "1.", "&lt;", "\\", "!", ":", "|", "~~", "^"]),
    max_size=12,
).map("".join)


@given(_NEARLY_PROSE)
def test_what_passes_for_prose_is_prose_to_myst(text: str) -> None:
    if text and not markup_rules("Faster.", text):
        (paragraph,) = publish_doctree(
            text,
            parser=Parser(),
            settings_overrides={"myst_enable_extensions": sorted(EXTENSIONS)},
        ).children
        assert isinstance(paragraph, nodes.paragraph)
        assert all(isinstance(child, nodes.Text) for child in paragraph.children)
