"""Which scripts must run, each with the reason in words; and which recording a page shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from polytab.errors import PinsError, UsageError
from polytab.model import Key
from polytab.recordings.files import recording_path, save_recording
from polytab.recordings.plan import find_if_recorded, find_recording, plan
from polytab.scripts.keys import with_found_versions
from polytab.scripts.load import load_scripts
from tests.support.handbook import NO_CUDA, job, record, recording, with_cuda, write

if TYPE_CHECKING:
    from polytab.model import Recording, Script
    from polytab.recordings.plan import ScriptState
    from polytab.settings import Settings

SCRIPT = """\
# /// polytab
# gpus = 0
# data = ["a.csv"]
# ///

# %% add
import shapes
x = 1 + 2

# %% twice raises="NameError"
print(y)
"""
PAPER = {"snippets/tour/torch.py": SCRIPT, "snippets/tour/a.csv": "1\n", "snippets/shapes.py": ""}


def _reason(handbook: Settings, files: dict[str, str]) -> str | None:
    """Record a script, change files, and return why it must run again."""
    write(handbook.root, PAPER)
    record(handbook)
    assert job(handbook).reason is None
    write(handbook.root, files)
    return job(handbook).reason


def _edited(old: str, new: str) -> dict[str, str]:
    assert old in SCRIPT
    return {"snippets/tour/torch.py": SCRIPT.replace(old, new)}


# Reasons


def test_what_was_never_recorded_must_run(handbook: Settings) -> None:
    assert {made.name: made.reason for made in plan(handbook)} == dict.fromkeys(
        ["end/python", "tour/python", "tour/torch", "tour/mxnet"], "there is no recording yet"
    )


def test_what_was_recorded_need_not_run(handbook: Settings) -> None:
    record(handbook)
    assert [made.reason for made in plan(handbook)] == [None] * 4


def test_a_plan_is_for_the_pages_and_frameworks_that_are_named(handbook: Settings) -> None:
    assert [made.name for made in plan(handbook, ["tour"], ["mxnet"])] == ["tour/mxnet"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (_edited("x = 1 + 2", "x = 3"), "cell `add` changed"),
        (_edited('raises="NameError"', 'raises="E"'), "cell `twice` changed"),
        (_edited("print(y)", "print(y)\n\n# %% more\nx"), "cell `more` is new"),
        (_edited("%% twice", "%% double"), "cell `double` is new, cell `twice` is gone"),
        (_edited("gpus = 0", "gpus = 1"), "what the script needs changed"),
        (_edited('# data = ["a.csv"]\n', ""), "data `a.csv` is gone"),
        (_edited("import shapes\n", ""), "cell `add` changed, helper `shapes.py` is gone"),
        ({"snippets/shapes.py": "x = 1"}, "helper `shapes.py` changed"),
        (
            {"snippets/shapes.py": "import sizes", "snippets/sizes.py": ""},
            "helper `shapes.py` changed, helper `sizes.py` is new",
        ),
        ({"snippets/tour/a.csv": "2\n"}, "data `a.csv` changed"),
        ({"environments/torch.txt": "# python: 3.11\ntorch==1.0\n"}, "the environment changed"),
        (
            {
                **_edited("x = 1 + 2", "x = 3"),
                "environments/torch.txt": "# python: 3.11\ntorch==1.0\n",
            },
            "the environment changed, cell `add` changed",
        ),
    ],
)
def test_what_changed_is_the_reason(handbook: Settings, files: dict[str, str], reason: str) -> None:
    assert _reason(handbook, files) == reason


def test_the_order_of_the_cells_is_a_reason_of_its_own(handbook: Settings) -> None:
    first, second = "# %% a\nx = 1\n", "# %% b\ny = 2\n"
    write(handbook.snippets, {"tour/torch.py": first + second})
    record(handbook)
    write(handbook.snippets, {"tour/torch.py": second + first})
    assert job(handbook).reason == "the order of the cells changed"


@pytest.mark.parametrize(
    "files",
    [
        _edited("x = 1 + 2", "# !rm x\nx = 1 + 2  # so\n\n# cat y"),
        _edited("# gpus = 0", "# timeout = 5"),
        {"snippets/shapes.py": "# soon\n"},
        {"docs/tour.md": "# Another text\n"},
        {"environments/torch.txt": "# So.\n"},
        {"snippets/tour/mxnet.py": "# %% other\nx = 1\n"},
        {"environments/mxnet.txt": "# python: 3.11\n"},
    ],
)
def test_a_comment_prose_and_the_files_of_others_are_no_reason(
    handbook: Settings, files: dict[str, str]
) -> None:
    if "environments/torch.txt" in files:
        own = (handbook.environments / "torch.txt").read_text(encoding="utf-8")
        files = {"environments/torch.txt": files["environments/torch.txt"] + own}
    assert _reason(handbook, files) is None


# The recording that is found


def _made_by(recording_: Recording, hardware: str) -> Recording:
    made = replace(recording_.provenance, hardware=hardware)
    return replace(recording_, provenance=made)


def _stale(recording_: Recording) -> Recording:
    parts = tuple((name, "0" if name == "cell add" else v) for name, v in recording_.key.parts)
    return replace(recording_, key=Key(parts))


def _script(handbook: Settings) -> Script:
    [script] = load_scripts(handbook, ["tour"], ["torch"])
    return script


def _found(handbook: Settings) -> ScriptState:
    return find_recording(handbook, _script(handbook))


def _shown(found: ScriptState) -> str | None:
    return found.recording.provenance.hardware if found.recording else None


@pytest.mark.parametrize(
    ("overlay", "committed", "shown", "fresh"),
    [
        ("fresh", "fresh", "overlay", True),
        ("fresh", "stale", "overlay", True),
        ("fresh", None, "overlay", True),
        ("stale", "fresh", "committed", True),
        (None, "fresh", "committed", True),
        ("damaged", "fresh", "committed", True),
        ("fresh", "damaged", "overlay", True),
        ("stale", "stale", "overlay", False),
        ("stale", None, "overlay", False),
        (None, "stale", "committed", False),
        ("damaged", "stale", "committed", False),
        ("stale", "damaged", "overlay", False),
        (None, None, None, False),
        ("damaged", None, None, False),
        (None, "damaged", None, False),
    ],
)
def test_the_freshest_recording_is_found_and_the_authors_own_first(
    handbook: Settings,
    overlay: str | None,
    committed: str | None,
    shown: str | None,
    *,
    fresh: bool,
) -> None:
    stores = {"overlay": handbook.overlay, "committed": handbook.recordings}
    for name, state in (("overlay", overlay), ("committed", committed)):
        if state is None:
            continue
        made = _made_by(recording(job(handbook)), name)
        path = save_recording(stores[name], _stale(made) if state == "stale" else made)
        if state == "damaged":
            path.write_bytes(path.read_bytes()[:-9])
    found = _found(handbook)
    assert _shown(found) == shown
    assert found.fresh is fresh
    assert (found.error is not None) is (not fresh and "damaged" in {overlay, committed})


def test_a_damaged_recording_is_the_reason_where_there_is_no_other(handbook: Settings) -> None:
    path = recording_path(handbook.recordings, "tour", "torch", "cpu")
    write(path.parent, {path.name: "<<<<<<< HEAD\n"})
    found = _found(handbook)
    assert (found.job.reason or "").startswith("this recording is damaged, it is not JSON")
    assert found.error is not None
    assert found.error.file == path


def test_beside_a_stale_recording_a_damaged_one_is_told_as_an_error(handbook: Settings) -> None:
    save_recording(handbook.recordings, _stale(recording(job(handbook))))
    write(handbook.overlay, {"tour/torch.cpu.ipynb": "{}"})
    found = _found(handbook)
    assert found.job.reason == "cell `add` changed"
    assert found.error is not None
    assert found.error.message == "this recording was not made by polytab"


def test_a_plan_may_look_into_one_store_alone(handbook: Settings) -> None:
    record(handbook, overlay=True)
    for store, reason in (
        (handbook.overlay, None),
        (handbook.recordings, "there is no recording yet"),
    ):
        assert {made.reason for made in plan(handbook, folders=[store])} == {reason}


def test_a_device_has_recordings_of_its_own(handbook: Settings) -> None:
    pinned = (handbook.environments / "torch.txt").read_text(encoding="utf-8")
    write(handbook.environments, {"torch.cuda.txt": pinned})
    record(handbook)
    on_cuda = find_recording(handbook, _script(handbook), "cuda")
    assert on_cuda.job.name == "tour/torch (cuda)"
    assert on_cuda.job.reason == "there is no recording yet"
    save_recording(handbook.recordings, recording(on_cuda.job))
    assert find_recording(handbook, _script(handbook), "cuda").fresh
    assert _found(handbook).fresh


# Devices


def test_a_plan_for_cuda_holds_what_may_run_there(handbook: Settings) -> None:
    settings = with_cuda(handbook)
    assert [made.name for made in plan(settings, device="cuda")] == ["tour/torch (cuda)"]
    assert len(plan(settings)) == 4


@pytest.mark.parametrize(("name", "why"), [("mxnet", NO_CUDA), ("python", "plain Python has")])
def test_who_never_runs_on_cuda_must_not_be_asked_to(
    handbook: Settings, name: str, why: str
) -> None:
    with pytest.raises(UsageError, match=f"`{name}` is not recorded on cuda: {why}"):
        plan(with_cuda(handbook), frameworks=[name], device="cuda")


def test_without_pins_a_framework_needs_a_reason(handbook: Settings) -> None:
    with pytest.raises(PinsError) as caught:
        plan(handbook, frameworks=["torch"], device="cuda")
    assert caught.value.file == handbook.environments / "torch.cuda.txt"
    assert "state `no_cuda`, the reason" in str(caught.value.hint)


def test_what_was_recorded_on_cuda_is_found_and_nothing_else(handbook: Settings) -> None:
    settings = with_cuda(handbook)
    script = _script(settings)
    assert find_if_recorded(settings, script, "cuda") is None
    save_recording(settings.recordings, recording(job(settings, device="cuda")))
    found = find_if_recorded(settings, script, "cuda")
    assert found is not None
    assert found.fresh
    (settings.environments / "torch.cuda.txt").unlink()
    assert find_if_recorded(settings, script, "cuda") is None


# Environments that were found


def _found_there(handbook: Settings) -> Recording:
    made = recording(job(handbook))
    versions = (("ipykernel", "7.0"), ("python", "3.14.0"))
    provenance = replace(made.provenance, found=versions)
    return replace(made, key=with_found_versions(made.key, versions), provenance=provenance)


def test_pins_do_not_bind_what_was_made_without_them(handbook: Settings) -> None:
    made = _found_there(handbook)
    assert made.key != job(handbook).key
    save_recording(handbook.recordings, made)
    assert _found(handbook).fresh
    write(handbook.environments, {"torch.txt": "# python: 3.12\ntorch==3.0\n"})
    assert _found(handbook).fresh


def test_all_else_binds_it(handbook: Settings) -> None:
    save_recording(handbook.recordings, _found_there(handbook))
    write(handbook.snippets, {"tour/torch.py": "# %% add\nx = 4\n"})
    assert _found(handbook).job.reason == "cell `add` changed, cell `twice` is gone"
