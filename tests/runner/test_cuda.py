"""A script recorded on CUDA has its GPUs to itself and has really used them, or is not recorded.

There is no GPU here: an `nvidia-smi` of ours lists some, and a module `torch` of ours tells of
memory. Kernels, processes and variables are real.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.errors import DeviceError, InstallError, RunError, SettingsError
from polytab.model import Accelerator
from polytab.recordings.plan import find_if_recorded, plan
from polytab.runner.record import record
from polytab.runner.run_config import RunConfig
from polytab.scripts.keys import expected_key
from polytab.settings import load_settings
from tests.support.gpus import H100, ROWS, pretend
from tests.support.handbook import job, with_cuda, write
from tests.support.sealed import VERSION, seal

if TYPE_CHECKING:
    from polytab.model import Job
    from polytab.runner.events import Event, Outcome
    from polytab.settings import Settings

pytestmark = pytest.mark.usefixtures("watched")

TORCH = """\
import os

ids = os.environ["CUDA_VISIBLE_DEVICES"].split(",")
held = [0] * len(ids)


class cuda:
    device_count = staticmethod(lambda: len(ids))
    max_memory_allocated = staticmethod(lambda at: held[at])


class __config__:
    show = staticmethod(lambda: "")
"""
SCRIPT = """\
# /// polytab
# gpus = {wanted}
# ///

# %% add
import torch
torch.held[:{used}] = [8] * {used}
print(torch.ids)
"""
HERE = Path(sys.executable)


def _asking(handbook: Settings, *, wanted: int = 1, used: int = 1) -> Settings:
    script = SCRIPT.format(wanted=wanted, used=used)
    write(handbook.snippets, {"tour/torch.py": script, "torch.py": TORCH})
    return with_cuda(handbook)


def _record(
    settings: Settings, *jobs: Job, interpreter: Path | None = HERE
) -> tuple[dict[str, Outcome], list[Event]]:
    """Record jobs with the Python that runs the tests, as it is found, or on Dask."""
    events: list[Event] = []
    config = RunConfig(settings.build, jobs=None if interpreter else 2, interpreter=interpreter)
    outcomes = record(jobs, config, settings.recordings, events.append)
    return {each.job.name: each for each in outcomes}, events


def _outcome(settings: Settings, asked: Job, interpreter: Path = HERE) -> Outcome:
    outcomes, _ = _record(settings, asked, interpreter=interpreter)
    return outcomes[asked.name]


@pytest.fixture
def gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path / "machine", monkeypatch, *ROWS)


@pytest.mark.usefixtures("gpus")
def test_a_script_sees_the_gpus_it_was_given_and_they_are_written_down(handbook: Settings) -> None:
    settings = _asking(handbook)
    outcome = _outcome(settings, job(settings, device="cuda"))
    assert outcome.error is None
    assert outcome.recording is not None
    [output] = outcome.recording.cells[0].outputs
    assert output["text"] == "['GPU-aaaa0000']\n"
    made = outcome.recording.provenance.accelerator
    assert made == Accelerator(H100, 1, "580.159.04", "13.0", made.libraries if made else ())
    assert outcome.recording.name == "tour/torch.cuda"


@pytest.mark.usefixtures("gpus")
@pytest.mark.parametrize(("wanted", "used"), [(0, 0), (1, 0), (2, 1)])
def test_what_left_a_gpu_unused_is_not_recorded(handbook: Settings, wanted: int, used: int) -> None:
    settings = _asking(handbook, wanted=wanted, used=used)
    outcome = _outcome(settings, job(settings, device="cuda"))
    assert outcome.recording is None
    assert isinstance(outcome.error, RunError)
    of = max(1, wanted)
    assert f"ran to its end, but used {used} GPU of the {of} it was given" in str(outcome.error)


@pytest.mark.usefixtures("gpus")
def test_a_probe_that_fails_is_told_with_what_it_raised(handbook: Settings) -> None:
    settings = _asking(handbook)
    write(settings.snippets, {"torch.py": TORCH.replace("held[at]", "1 / 0")})
    error = _outcome(settings, job(settings, device="cuda")).error
    assert isinstance(error, RunError)
    assert "a probe of its library failed: ZeroDivisionError: division by zero" in error.message
    assert "`probe = " in str(error.hint)


@pytest.mark.usefixtures("gpus")
def test_a_library_that_no_probe_knows_is_not_recorded_and_the_setting_is_named(
    handbook: Settings,
) -> None:
    settings = _asking(handbook)
    write(settings.snippets, {"tour/torch.py": "# %% add\nx = 1\n"})
    error = _outcome(settings, job(settings, device="cuda")).error
    assert isinstance(error, RunError)
    assert "used 0 GPU of the 1 it was given" in error.message
    assert "no probe knows its library: " in str(error.hint)
    assert "[tool.polytab.frameworks.torch]" in str(error.hint)


# A probe of the book

GPULIB = "held = []\nbackend = 'gpublas'\n"
PROBE = """\
import gpulib

def peak_gpu_memory():
    return gpulib.held

def libraries():
    yield f"{gpulib.backend} 1.2"
"""


def _with_probe(handbook: Settings, probe: str, held: str = "[64]") -> Settings:
    """Give a framework a library that polytab has never heard of, and a probe of the book."""
    write(handbook.root, {"probes/gpulib.py": probe})
    write(handbook.snippets, {"gpulib.py": GPULIB})
    script = f"# %% add\nimport gpulib\ngpulib.held[:] = {held}\n"
    write(handbook.snippets, {"tour/torch.py": script})
    file = handbook.root / "pyproject.toml"
    named = '"PyTorch", probe = "probes/gpulib.py"'
    write(handbook.root, {"pyproject.toml": file.read_text("utf-8").replace('"PyTorch"', named)})
    return with_cuda(load_settings(handbook.root))


@pytest.mark.usefixtures("gpus")
def test_a_probe_of_the_book_asks_any_library(handbook: Settings) -> None:
    settings = _with_probe(handbook, PROBE)
    outcome = _outcome(settings, job(settings, device="cuda"))
    assert outcome.error is None
    assert outcome.recording is not None
    machine = dict(outcome.recording.provenance.machine)
    assert "gpublas 1.2" in machine["libraries"].split(", ")


@pytest.mark.usefixtures("gpus")
def test_a_probe_of_the_book_tells_what_was_left_unused(handbook: Settings) -> None:
    settings = _with_probe(handbook, PROBE, held="[0]")
    error = _outcome(settings, job(settings, device="cuda")).error
    assert "used 0 GPU of the 1 it was given" in str(error)
    assert "put its work on the GPU" in str(error)


@pytest.mark.usefixtures("gpus")
@pytest.mark.parametrize(
    ("probe", "said"),
    [
        ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere'"),
        ("def peak_gpu_memory():\n    return None\n", "TypeError: 'NoneType'"),
        ("def peak_gpu_memory(:\n", "SyntaxError: "),
    ],
)
def test_a_probe_of_the_book_that_fails_is_named(handbook: Settings, probe: str, said: str) -> None:
    settings = _with_probe(handbook, probe)
    error = _outcome(settings, job(settings, device="cuda")).error
    assert isinstance(error, RunError)
    assert f"its probe `probes/gpulib.py` failed: {said}" in error.message


def test_a_probe_is_no_part_of_a_key_and_goes_with_the_job(handbook: Settings) -> None:
    settings = _with_probe(handbook, PROBE)
    before = job(settings)
    assert before.probe is not None
    assert before.probe.content.decode() == PROBE
    write(settings.root, {"probes/gpulib.py": PROBE + "# asked otherwise\n"})
    assert job(settings).probe != before.probe
    assert job(settings).key == before.key


def test_a_probe_that_is_not_there_is_told_with_its_setting(handbook: Settings) -> None:
    settings = _with_probe(handbook, PROBE)
    (settings.root / "probes" / "gpulib.py").unlink()
    with pytest.raises(SettingsError) as caught:
        job(settings)
    assert caught.value.file == settings.root / "probes" / "gpulib.py"
    assert "[tool.polytab.frameworks.torch]" in str(caught.value.hint)


@pytest.mark.usefixtures("gpus")
def test_on_dask_each_job_has_gpus_of_its_own(handbook: Settings, tmp_path: Path) -> None:
    settings = _asking(handbook)
    meet = f"""
import pathlib, time
here = pathlib.Path({str(tmp_path)!r})
(here / "met-{{}}").touch()
while len(list(here.glob("met-*"))) < 2:
    time.sleep(0.01)
"""
    first = settings.snippets / "tour" / "torch.py"
    text = first.read_text(encoding="utf-8")
    write(settings.snippets, {"tour/torch.py": text + meet.format("tour")})
    write(settings.snippets, {"end/torch.py": text + meet.format("end")})
    seal(settings, "torch", device="cuda")
    jobs = [job(settings, page, device="cuda") for page in ("tour", "end")]
    outcomes, _ = _record(settings, *jobs, interpreter=None)
    assert [each.error for each in outcomes.values()] == [None, None]
    recordings = [each.recording for each in outcomes.values() if each.recording]
    seen = sorted(each.cells[0].outputs[0]["text"] for each in recordings)
    assert seen == ["['GPU-aaaa0000']\n", "['GPU-bbbb1111']\n"]
    assert {each.provenance.found for each in recordings} == {()}


@pytest.mark.parametrize("interpreter", [None, HERE])
def test_without_a_gpu_nothing_is_installed_and_nothing_is_run(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: Path | None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = _asking(handbook)
    jobs = plan(settings, device="cuda")
    outcomes, events = _record(settings, *jobs, interpreter=interpreter)
    [outcome] = outcomes.values()
    assert isinstance(outcome.error, DeviceError)
    assert "this machine has none: `nvidia-smi` cannot be run" in outcome.error.message
    assert {event.kind for event in events} <= {"starts", "failed"}
    assert not (settings.build / "envs").exists()


# An environment that is found


def test_an_environment_is_taken_as_it_is_and_says_so(handbook: Settings) -> None:
    write(handbook.snippets, {"tour/torch.py": "# %% add\nprint(1)\n"})
    asked = job(handbook)
    made = _outcome(handbook, asked).recording
    assert made is not None
    assert dict(made.provenance.found)["ipykernel"] == VERSION
    assert dict(made.provenance.found)["python"] == made.provenance.python
    assert made.key != asked.key
    assert made.key == expected_key(made.key, asked.key)
    assert not (handbook.build / "envs").exists()
    assert job(handbook).reason is None
    assert find_if_recorded(handbook, asked.script, "cuda") is None


def test_it_brings_the_paths_to_its_packages(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "far", {"elsewhere.py": "word = 'from far'\n"})
    write(
        handbook.snippets, {"tour/torch.py": "# %% add\nimport elsewhere\nprint(elsewhere.word)\n"}
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "far")
    outcome = _outcome(handbook, job(handbook))
    assert outcome.recording is not None
    assert outcome.recording.cells[0].outputs[0]["text"] == "from far\n"


@pytest.mark.parametrize("package", ["ipykernel", "no-such-package"])
def test_what_it_lacks_is_told(handbook: Settings, tmp_path: Path, package: str) -> None:
    facts = {"python": "3.11.0", "packages": {} if package == "ipykernel" else {"ipykernel": "7"}}
    write(tmp_path, {"bare/python": f"#!/bin/sh\necho '{json.dumps(facts)}'\n"})
    (tmp_path / "bare" / "python").chmod(0o755)
    text = (handbook.root / "pyproject.toml").read_text("utf-8")
    text = text.replace('"PyTorch", package = "ipykernel"', f'"PyTorch", package = "{package}"')
    write(handbook.root, {"pyproject.toml": text})
    settings = load_settings(handbook.root)
    outcome = _outcome(settings, job(settings), tmp_path / "bare" / "python")
    assert isinstance(outcome.error, InstallError)
    assert f"`{package}` is not among the packages of {tmp_path}/bare/python" in str(outcome.error)


@pytest.mark.parametrize("text", [None, "#!/bin/sh\nexit 3\n", "#!/bin/sh\necho odd\n"])
def test_what_is_no_python_is_told(handbook: Settings, tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "odd"
    if text is not None:
        write(tmp_path, {"odd": text})
        path.chmod(0o755)
    outcome = _outcome(handbook, job(handbook), path)
    assert f"`{path}` is no Python that runs" in str(outcome.error)


def test_it_needs_no_dask_and_no_installer(handbook: Settings) -> None:
    write(handbook.snippets, {"tour/torch.py": "# %% add\nprint(1)\n"})
    barred = ("dask", "distributed", "virtualenv", "filelock", "sphinx", "babel", "jupytext")
    code = f"""\
import sys
sys.modules.update(dict.fromkeys({barred!r}))  # importing them fails
from polytab.cli import main
sys.exit(main(["record", "--environment", "current", "tour", "torch"]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=handbook.root, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "1 scripts: 1 recorded, 0 reused, 0 failed" in ran.stdout
