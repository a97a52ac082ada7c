"""What no recording measures is found; of what was never recorded is said that it is open.

That what a build warns of is found as well stands beside the tests of the build, in
tests/pages/numbers/test_results.py and test_verdict.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.pages.markdown.missing_cases import CasesCheck, check_cases
from polytab.settings import load_settings
from tests.support.numbers_site import COMPILED_WINS, NumbersSite

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path) -> NumbersSite:
    made = NumbersSite.copy(tmp_path)
    for framework in ("torch", "mxnet", "jax"):
        made.record(framework, COMPILED_WINS)
    made.record("python", {"built in": 1e-3, "loop": 2e-3}, page="plain")
    return made


def _checked(site: NumbersSite) -> CasesCheck:
    return check_cases(load_settings(site.root))


def _found(site: NumbersSite) -> list[tuple[int | None, str]]:
    return [(each.line, each.message) for each in _checked(site).findings]


def test_where_recordings_answer_every_question_nothing_is_found(site: NumbersSite) -> None:
    assert _checked(site) == CasesCheck((), ())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (":::{benchmark} forwrad\n:::", "no script of page `speed` measures `forwrad`"),
        (
            "::::{verdict} forward: compiled vs egaer\n::::",
            "no script of page `speed` measures `forward: compiled, egaer`; known here: eager,",
        ),
        (
            ":::{roofline} forward\n:peak: forward: fused\n:bandwidth: copy: copy\n:::",
            "no script of page `speed` measures `forward: fused`",
        ),
        (
            "::::::{tabs}\n:::::{group-tab} JAX\n{measured}`forward: eager memory`.\n:::::\n::::::",
            "`forward: eager` has no memory",
        ),
    ],
)
def test_what_no_script_measures_is_found(site: NumbersSite, asked: str, said: str) -> None:
    site.write("docs/speed.md", f"# Speed\n\n{asked}\n")
    [(line, message), *_] = _found(site)
    assert line in {3, 5}
    assert message.startswith(said)


def test_of_scripts_that_were_never_recorded_is_said_that_it_is_open(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("docs/plain.md", "# Plain\n\nOne {measured}`sum: loop`, {measured}`smu: loop`.\n")
    checked = _checked(site)
    assert checked.findings == ()
    plain = [note for note in checked.notes if "docs/plain.md" in note]
    assert plain == [
        (
            "open: docs/plain.md asks for 2 measurements that nobody knows before plain/python is"
            " recorded"
        ),
        "open: docs/plain.md:3: no script of the page says `smu`: misspelt?",
    ]


def test_in_a_branch_a_quantity_is_asked_of_every_framework_that_measures_the_case(
    site: NumbersSite,
) -> None:
    branches = ":::{when} faster\nA {measured}`forward: eager memory`.\n:::\n"
    text = f"# Speed\n\n::::{{verdict}} forward: compiled vs eager\n{branches}::::\n"
    site.write("docs/speed.md", text)
    assert [line for line, _ in _found(site)] == [5]
