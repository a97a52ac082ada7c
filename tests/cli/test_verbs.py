"""What each verb does, says and returns where nothing is broken but what it is told to find."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.recordings.files import load_recording, recording_path, save_recording
from tests.support.commits import commit
from tests.support.handbook import job, record, recording, stream, write
from tests.support.sealed import seal

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.settings import Settings
    from tests.cli.said import Said

TORCH = "snippets/tour/torch.py"
BOTH_CELLS = '# %% add\nprint("torch", 3)\n\n# %% twice\nprint(6)\n'


def _edit(settings: Settings, name: str, old: str, new: str) -> None:
    text = (settings.root / name).read_text(encoding="utf-8")
    assert old in text
    write(settings.root, {name: text.replace(old, new)})


# plan


def test_a_plan_says_what_must_run_and_why(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    _edit(handbook, "snippets/tour/python.py", "# said once", "# said twice")
    _edit(handbook, "environments/mxnet.txt", "ipykernel==7.4.0", "ipykernel==7.3.0")
    (handbook.recordings / "end" / "python.cpu.ipynb").unlink()
    said = polytab("plan")
    assert said.code == 0
    assert said.lines == [
        "end/python: there is no recording yet",
        "tour/python: fresh",
        "tour/torch: cell `add` changed",
        "tour/mxnet: the environment changed",
        "4 scripts, 3 to run",
    ]


def test_a_plan_can_be_asked_of_pages_and_frameworks(polytab: Callable[..., Said]) -> None:
    assert polytab("plan", "mxnet", "tour").lines[-1] == "1 scripts, 1 to run"
    assert polytab("plan", "tour").lines[-1] == "3 scripts, 3 to run"
    assert polytab("plan", "torch").lines == [
        "tour/torch: there is no recording yet",
        "1 scripts, 1 to run",
    ]


# record


def test_only_what_changed_runs(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    assert polytab("record").lines == ["4 scripts: 0 recorded, 4 reused, 0 failed"]
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    said = polytab("record")
    assert said.code == 0
    assert said.lines[:-1] == [
        "tour/torch: runs, because cell `add` changed",
        "tour/torch: recorded in 2 s",
        "4 scripts: 1 recorded, 3 reused, 0 failed",
    ]
    assert re.fullmatch(r"took \d+ s; reuse saved 4 s", said.lines[-1])
    assert kernels == ["tour/torch"]
    assert polytab("plan").lines[-1] == "4 scripts, 0 to run"


def test_all_can_be_made_to_run(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    assert polytab("record", "--all", "tour").code == 0
    assert sorted(kernels) == ["tour/mxnet", "tour/python", "tour/torch"]


@pytest.mark.usefixtures("kernels")
def test_an_authors_own_recordings_lie_beside_the_committed_ones(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    committed = (handbook.recordings / "tour" / "torch.cpu.ipynb").read_bytes()
    assert polytab("record", "--overlay").code == 0
    assert (handbook.recordings / "tour" / "torch.cpu.ipynb").read_bytes() == committed
    assert [path.name for path in handbook.overlay.rglob("*.ipynb")] == ["torch.cpu.ipynb"]


def test_what_a_build_has_recorded_is_not_run_again_but_taken(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    assert polytab("record", "--overlay").code == 0
    [built] = [path.read_bytes() for path in handbook.overlay.rglob("*.ipynb")]
    said = polytab("record")
    assert said.lines == [
        "taken as the last build recorded them: tour/torch",
        "4 scripts: 0 recorded, 4 reused, 0 failed",
    ]
    assert (handbook.recordings / "tour" / "torch.cpu.ipynb").read_bytes() == built
    assert list(handbook.overlay.rglob("*.ipynb")) == []
    assert kernels == ["tour/torch"]


@pytest.mark.parametrize(("words", "code"), [([], 1), (["--overlay"], 0)])
def test_where_an_environment_cannot_be_had_an_author_goes_on(
    handbook: Settings,
    polytab: Callable[..., Said],
    kernels: list[str],
    words: list[str],
    code: int,
) -> None:
    _edit(handbook, "environments/torch.txt", "# python: 3.", "# python: 3.9")
    said = polytab("record", *words)
    assert said.code == code
    assert re.search(r"torch\.txt: the environment of `torch` needs Python 3\.9\d+\n", said.err)
    told = "tour/torch: its outputs are shown as they were, marked stale"
    assert (told in said.err) == (words == ["--overlay"])
    assert sorted(kernels) == ["end/python", "tour/mxnet", "tour/python"]
    assert said.lines[-2] == "4 scripts: 3 recorded, 0 reused, 1 failed"


@pytest.mark.parametrize("words", [[], ["--overlay"]])
def test_a_script_that_fails_is_an_error_for_everyone(
    handbook: Settings, polytab: Callable[..., Said], words: list[str]
) -> None:
    seal(handbook, "python")
    write(handbook.root, {"snippets/end/python.py": "# %% last\n1 / 0\n"})
    said = polytab("record", "end", *words)
    assert said.code == 1
    assert "python.py:2: end/python: cell `last` raised ZeroDivisionError" in said.err


@pytest.mark.usefixtures("kernels")
def test_a_plan_and_a_record_can_be_read_by_programs(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    planned = {each["name"]: each for each in json.loads(polytab("plan", "--json").out)}
    assert planned["tour/torch"]["reason"] == "cell `add` changed"
    assert planned["tour/torch"]["seconds"] == 1.5
    assert planned["tour/mxnet"]["reason"] is None
    events = [json.loads(line) for line in polytab("record", "--json").lines]
    assert [each["event"] for each in events] == ["starts", "recorded", "summary"]
    assert [each.get("job") for each in events] == ["tour/torch", "tour/torch", None]
    assert events[0]["key"] == planned["tour/torch"]["key"]
    counts = {name: events[-1][name] for name in ("scripts", "recorded", "reused", "failed")}
    assert counts == {"scripts": 4, "recorded": 1, "reused": 3, "failed": 0}
    assert events[-1]["saved"] == 4.5


# verify: here the kernels are real.


def test_a_recording_that_repeats_is_verified_and_another_is_shown_as_a_diff(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    seal(handbook, "torch")
    write(handbook.root, {TORCH: BOTH_CELLS})
    assert polytab("record", "torch").code == 0

    said = polytab("verify", "torch")
    assert said.code == 0
    assert said.lines[-2:] == ["tour/torch: repeats", "1 scripts: 1 repeat, 0 do not"]

    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    good = load_recording(path)
    assert good is not None
    doctored = replace(good.cells[0], outputs=(stream("torch\nin the past\n"),))
    save_recording(handbook.recordings, replace(good, cells=(doctored, *good.cells[1:])))
    before = path.read_bytes()
    said = polytab("verify", "torch")
    assert said.code == 1
    assert said.lines == [
        "tour/torch: runs",
        "tour/torch: cell 1 of 2: `add`",
        "tour/torch: cell 2 of 2: `twice`",
        "--- tour/torch.cpu cell `add` recorded",
        "+++ tour/torch.cpu cell `add` now",
        "@@ -1,4 +1,3 @@",
        " [stdout]",
        "-torch",
        "-in the past",
        "+torch 3",
        " ",
        "",
        "tour/torch: does not repeat",
        "1 scripts: 0 repeat, 1 do not",
    ]
    assert path.read_bytes() == before


def test_since_a_commit_what_was_recorded_is_verified_beside_what_is_named(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    commit(handbook.root, "2026-01-02")
    assert polytab("verify", "--since", "HEAD").lines == ["0 scripts: 0 repeat, 0 do not"]
    assert kernels == []

    path = recording_path(handbook.recordings, "tour", "mxnet", "cpu")
    path.write_bytes(path.read_bytes() + b"\n")
    commit(handbook.root, "2026-01-03")
    said = polytab("verify", "torch", "--since", "HEAD~1")
    assert said.lines[-1] == "2 scripts: 2 repeat, 0 do not"
    assert sorted(kernels) == ["tour/mxnet", "tour/torch"]
    assert polytab("verify", "--since", "nowhere").code == 2


@pytest.mark.usefixtures("kernels")
def test_what_is_stale_cannot_be_verified_and_the_rest_is(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    said = polytab("verify")
    assert said.code == 1
    assert said.err == "tour/torch: cannot be verified, cell `add` changed\n"
    assert said.lines[-1] == "4 scripts: 3 repeat, 1 do not"


def test_a_script_that_no_longer_runs_does_not_repeat(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    _edit(handbook, "environments/torch.txt", "# python: 3.", "# python: 3.9")
    save_recording(handbook.recordings, recording(job(handbook)))
    said = polytab("verify", "torch")
    assert said.code == 1
    assert "the environment of `torch` needs Python" in said.err
    assert said.lines[-1] == "1 scripts: 0 repeat, 1 do not"


# check


def test_a_check_passes_where_pages_and_scripts_agree(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    record(handbook)
    twice = ":::{snippet} twice\n:without: mxnet\n:::"
    _edit(handbook, "docs/tour.md", "# Tour", f"# Tour\n\n{twice}")
    said = polytab("check")
    assert said.code == 0
    assert said.lines == ["0 findings"]


def test_a_check_lists_findings_what_is_stale_and_what_varies(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    _edit(handbook, TORCH, "# %% add", '# %% add varies="[bold]" why="of [/i]"')
    _edit(handbook, "docs/tour.md", "{snippet} plain", "{snippet} plane")
    said = polytab("check")
    assert said.code == 1
    page = handbook.docs / "tour.md"
    assert f"{page}:3: [unknown-cell] no script of page `tour` has a cell `plane`" in said.lines
    assert "stale: tour/torch: there is no recording yet" in said.lines
    assert "varies: tour/torch `add`: [bold]: of [/i]" in said.lines
    assert said.lines[-1] == "3 findings, 5 notes"
    findings, notes = said.lines[:3], said.lines[3:-1]
    assert all(": [" in each for each in findings)
    assert all(each.startswith(("stale: ", "varies: ")) for each in notes)


# site


def test_a_strict_site_takes_no_stale_output(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    said = polytab("site", "en", "--strict")
    assert said.code == 1
    assert "tour/torch is stale: there is no recording yet" in said.err
    assert (handbook.site / "en" / "tour.html").is_file()


def test_a_site_says_once_what_it_lacks_without_addresses(
    handbook: Settings, polytab: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    record(handbook)
    said = polytab("site")
    notes = [line for line in (said.out + said.err).splitlines() if line.startswith("note: ")]
    assert ["no sitemap" in note for note in notes] == [True, False]
    assert "links to sources" in notes[1]
    assert "nothing has changed" in polytab("site").out
    monkeypatch.setenv("POLYTAB_ADDRESS", "https://pages.example/book")
    monkeypatch.setenv("POLYTAB_REPOSITORY", "https://forge.example/book")
    said = polytab("site")  # what was built without them is no longer good
    assert "note: " not in said.out + said.err
    start = (handbook.site / "en" / "index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://pages.example/book/en/index.html">' in start
    assert 'href="https://forge.example/book/edit/HEAD/docs/index.md"' in start
    assert (handbook.site / "sitemap.xml").is_file()


def test_help_names_every_verb_with_what_it_does(polytab: Callable[..., Said]) -> None:
    said = polytab("--help")
    assert said.code == 0
    for verb in ("plan", "record", "verify", "site", "live", "check"):
        assert re.search(rf"^    {verb}\s+[a-z]", said.out, re.MULTILINE)
