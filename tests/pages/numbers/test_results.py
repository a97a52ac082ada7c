"""What a page shows of its measurements, and the warnings where there is nothing to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.numbers_site import COMPILED_WINS, NumbersSite, complaints, found_before, seen

if TYPE_CHECKING:
    from pathlib import Path

WRONG = """\
# Speed

A {measured}`forwrad: eager`.

B {measured}`forward: eagre`.

:::::::{tabs}
::::::{group-tab} PyTorch

C {ratio}`forward: compiled over eager`.
::::::
::::::{group-tab} MXNet

D {measured}`forward: compiled`.
::::::
:::::::

E {ratio}`forward: compiled vs eager`.

## F {measured}`forward: eager`
"""
COMPLAINTS = {
    3: "no script of page `speed` measures `forwrad: eager` known here: forward",
    5: "no script of page `speed` measures `forward: eagre` known here: eager, compiled",
    10: "`forward: compiled over eager` is no comparison "
    "write `forward: compiled vs eager`: how many times as fast the first is",
    14: "the script of this tab does not measure `forward: compiled` "
    "measure it there as well, or take it out of the tab",
    18: "`forward: compiled vs eager` differs between frameworks "
    "put the sentence into the tabs of the frameworks, or into a `{when}` branch",
    20: "a measured number cannot stand in a heading put it into a sentence",
}


def test_each_mistake_is_told_once_with_its_file_and_line(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.record("torch", COMPILED_WINS)
    site.record("mxnet", {"eager": 1e-4})
    site.record("jax", COMPILED_WINS)
    site.write("docs/speed.md", WRONG)
    assert found_before(site, "speed") == sorted(COMPLAINTS.items())
    assert complaints(site.build(), "speed") == sorted(COMPLAINTS.items())


def test_a_script_that_is_still_to_be_run_may_measure_anything(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("docs/plain.md", "# Plain\n\nOne {measured}`soon: to come`, two.\n")
    built = site.build()
    assert not complaints(built, "plain")
    assert seen(built, "plain").endswith("One [not measured yet], two.")


def test_a_script_that_measures_nothing_is_not_waited_for(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.write("snippets/plain/python.py", "# %% sum\nsum([])\n")
    site.write("docs/plain.md", "# Plain\n\nOne {measured}`soon: to come`.\n")
    [(line, text)] = complaints(site.build(), "plain")
    assert (line, text) == (
        3,
        "no script of page `plain` measures `soon: to come` known here: none",
    )


def test_a_benchmark_of_a_stale_recording_that_has_gone_is_waited_for(tmp_path: Path) -> None:
    site = NumbersSite.copy(tmp_path)
    site.record("python", {"loop": 1e-3}, page="plain")
    site.write("docs/plain.md", "# Plain\n\nOne {measured}`sum: built in`.\n")
    assert len(complaints(site.build(), "plain")) == 1
    script = site.root / "snippets" / "plain" / "python.py"
    script.write_text(script.read_text("utf-8") + "\n# %% more\nx = 1\n", encoding="utf-8")
    assert complaints(site.build(), "plain") == []
