"""A note of the kit is told with its case and with what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.model import Case, Measurement, Note
from polytab.recordings.measurements import ADVICE, MIME, spell_measurement
from polytab.recordings.plain_text import doubts_of
from tests.support.handbook import job, recording

if TYPE_CHECKING:
    from polytab.settings import Settings


def test_a_note_names_its_case_and_what_to_do(handbook: Settings) -> None:
    case = Case("eager", 3, (), ((1.0, 1.0, 1.0),))
    note = Note("eager", "works on", "1.0 cores were busy after a call had ended")
    data = {MIME: spell_measurement(Measurement("forward", (case,), notes=(note,)))}
    output = {"output_type": "display_data", "data": data, "metadata": {}}
    made = recording(job(handbook, "tour", "torch"), {"add": [output]})
    [said] = doubts_of(made)
    assert said.startswith("works on: `forward: eager`: 1.0 cores were busy after a call")
    assert said.endswith("; " + ADVICE["works on"])


def test_cases_that_break_the_same_rule_are_told_together(handbook: Settings) -> None:
    cases = tuple(Case(name, 3, (), ((1.0, 1.0, 1.0),)) for name in ("eager", "compiled"))
    notes = tuple(Note(each.name, "works on", f"in {each.name}") for each in cases)
    outputs = [
        {
            "output_type": "display_data",
            "data": {MIME: spell_measurement(Measurement(name, cases, notes=notes))},
            "metadata": {},
        }
        for name in ("forward", "backward")
    ]
    [said] = doubts_of(recording(job(handbook, "tour", "torch"), {"add": outputs}))
    assert said == f"works on: `forward: eager` and 3 more: in eager; {ADVICE['works on']}"
