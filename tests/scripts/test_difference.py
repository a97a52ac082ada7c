"""What changed between two keys is said in words, all of it and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from polytab.model import Key, digest
from polytab.scripts.keys import difference, make_key
from tests.support.handbook import job, write

if TYPE_CHECKING:
    from polytab.settings import Settings

_SCRIPT = """\
# /// polytab
# data = ["a.csv"]
# ///
# %% one
import shapes
"""
_FILES = {"snippets/tour/torch.py": _SCRIPT, "snippets/tour/a.csv": "1\n", "snippets/shapes.py": ""}
_VALUES = st.sampled_from(["0", "1"])
_ALWAYS = ("schema", "script", "needs", "environment", "order")
_SOMETIMES = ("cell a", "cell b-c", "helper x.py", "data a b.csv", "data a")
_PARTS = st.fixed_dictionaries(
    dict.fromkeys(_ALWAYS, _VALUES), optional=dict.fromkeys(_SOMETIMES, _VALUES)
)


@given(_PARTS, _PARTS)
def test_keys_differ_exactly_where_something_can_be_said(
    old: dict[str, str], new: dict[str, str]
) -> None:
    one, other = Key(tuple(sorted(old.items()))), Key(tuple(sorted(new.items())))
    assert (difference(one, other) == "") is (one.digest == other.digest)


def test_every_part_of_a_real_key_has_its_words(handbook: Settings) -> None:
    write(handbook.root, _FILES)
    made = job(handbook)
    key = make_key(made.script, made.environment)
    for name, _ in key.parts:
        old = Key(tuple((each, "0" if each == name else v) for each, v in key.parts))
        said = difference(old, key)
        assert said.endswith(" changed")
        assert said.removesuffix(" changed") not in {name for name, _ in key.parts}
    assert key.digest == digest("\n".join(f"{name} {value}" for name, value in key.parts))
