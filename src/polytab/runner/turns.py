"""Which scripts are verified within a budget of time: those that are named, then some in turn.

The others are dealt out into turns that each fit into the budget, and a day has one of them. No
file remembers what was verified when: a clean checkout has none. Whoever verifies daily has
verified all of them after as many days as there are turns.

Law, guarded by tests/runner/test_turns.py: each script is in exactly one turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polytab.model import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polytab.recordings.plan import ScriptState

SHARE = 0.7
"""How much of a budget is promised; the rest is for environments and for what is measured again."""

_UNKNOWN = 60.0
"""Seconds that a script is thought to take where no recording says."""


@dataclass(frozen=True)
class Turn:
    """What is verified today, what is not, and which of how many turns it is."""

    chosen: tuple[ScriptState, ...]
    left_out: tuple[ScriptState, ...]
    number: int = 1
    turns: int = 1


def choose_turn(
    first: Sequence[ScriptState], others: Sequence[ScriptState], minutes: float, day: int
) -> Turn:
    """Choose what fits: of the `first` as many as do, then the turn of this day of the others.

    `others` may hold the `first` too.
    """
    budget = minutes * 60 * SHARE
    urgent: list[ScriptState] = []
    for state in first:
        if not urgent or cost([*urgent, state]) <= budget:
            urgent.append(state)
    rest = [state for state in others if state not in urgent]
    dealt = deal(rest, budget - cost(urgent))
    number = day % len(dealt) if dealt else 0
    today = dealt[number] if dealt else ()
    if urgent and cost([*urgent, *today]) > budget:
        today = ()
    left_out = tuple(state for state in rest if state not in today)
    return Turn((*urgent, *today), left_out, number + 1, max(1, len(dealt)))


def deal(states: Sequence[ScriptState], budget: float) -> list[tuple[ScriptState, ...]]:
    """Deal scripts out into turns that fit into so many seconds; one that never fits is alone.

    They are taken in an order that has nothing to do with their names, so that a turn holds
    several pages and frameworks.
    """
    turns: list[list[ScriptState]] = []
    for state in sorted(states, key=lambda state: digest(state.job.name)):
        fits = (each for each in turns if cost([*each, state]) <= budget)
        turn = next(fits, None)
        if turn is None:
            turns.append([state])
        else:
            turn.append(state)
    return [tuple(turn) for turn in turns]


def cost(states: Iterable[ScriptState]) -> float:
    """Return the seconds that scripts are thought to take: as many as when they were recorded."""
    known = (state.job.seconds for state in states)
    return sum(_UNKNOWN if each is None else each for each in known)
