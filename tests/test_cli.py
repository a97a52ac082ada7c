"""What a person types, what they read, and the number a shell sees; never a traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab import cli
from polytab.recordings import load_recording, recording_path, save_recording
from polytab.runner import record as runner
from tests.handbook import job, record, recording, stream, write
from tests.sealed import seal
from tests.traces import eventually, processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from polytab.model import Job, Recording
    from polytab.runner.environments import Installed
    from polytab.settings import Settings

TORCH = "snippets/tour/torch.py"
BOTH_CELLS = '# %% add\nprint("torch", 3)\n\n# %% twice\nprint(6)\n'


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture
def polytab(
    handbook: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Said]]:
    """Type a command in the handbook's folder."""
    monkeypatch.chdir(handbook.root)
    before = signal.getsignal(signal.SIGTERM)

    def type_in(*words: str) -> Said:
        try:
            code = cli.main(words)
        except SystemExit as ended:  # argparse's way to end
            code = int(ended.code or 0)
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    yield type_in
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def kernels(handbook: Settings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand for the kernels: each script repeats what `record` saved; who ran is remembered."""
    ran: list[str] = []

    def run(
        job: Job, installed: Installed, package: str | None, report: Callable[[str], None]
    ) -> Recording:
        del installed, package, report
        ran.append(job.name)
        return recording(job)

    monkeypatch.setattr(runner, "run", run)
    seal(handbook, "python", "torch", "mxnet")
    return ran


def _edit(settings: Settings, name: str, old: str, new: str) -> None:
    text = (settings.root / name).read_text(encoding="utf-8")
    assert old in text
    write(settings.root, {name: text.replace(old, new)})


# Wrong usage.


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["plan", "nowhere"], "`nowhere` is neither a page with snippets nor a framework"),
        (["record", "tour", "tensorflow"], "`tensorflow` is neither a page"),
        (["verify", "end", "torch"], "end: no script for torch"),
        (["site", "xx"], "unknown language `xx`"),
        (["live", "xx"], "unknown language `xx`"),
        (["plan", "--overlay"], "unrecognized arguments: --overlay"),
        (["fly"], "invalid choice: 'fly'"),
        ([], "required"),
    ],
)
def test_a_word_that_names_nothing_is_wrong_usage(
    polytab: Callable[..., Said], words: list[str], complaint: str
) -> None:
    said = polytab(*words)
    assert said.code == 2
    assert complaint in said.err


def test_a_complaint_about_a_name_lists_the_names_there_are(polytab: Callable[..., Said]) -> None:
    said = polytab("plan", "nowhere")
    assert "pages: end, tour; frameworks: python, torch, mxnet" in said.err


def test_outside_a_handbook_nothing_works(
    polytab: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    said = polytab("plan")
    assert said.code == 1
    assert "there is no pyproject.toml here" in said.err


# Anything may be broken: each verb says so, and where.

BROKEN: dict[str, bytes] = {
    "pyproject.toml": b"[tool.polytab\n",
    "snippets/tour/torch.py": b"# %% add\nx = (\n",
    "snippets/tour/mxnet.py": b"# %% add\nx = '\xff'\n",
    "snippets/tour/python.py": b"# %% plain\nx = 1\n\n# %% plain\nx = 2\n",
    "snippets/tour/jax.py": b"# %% add\nx = 1\n",
    "snippets/end/python.py": b"# %% last\nimport measure\n",
    "environments/torch.txt": b"# python: 3.11\ntorch>=2\n",
    "environments/mxnet.txt": b"\xff\xfe",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("verb", ["plan", "record", "verify", "check"])
@pytest.mark.usefixtures("kernels")
def test_a_broken_file_is_one_complaint_with_its_place(
    handbook: Settings, polytab: Callable[..., Said], verb: str, name: str
) -> None:
    write(handbook.root, {"snippets/measure.py": "pass\n"})
    (handbook.root / name).write_bytes(BROKEN[name])
    said = polytab(verb)
    assert said.code == 1
    assert said.err.count("error: ") == 1
    assert said.err.startswith("error: ")
    assert re.search(rf"{re.escape(str(handbook.root / name))}(:\d+)?: \S", said.err)


@pytest.mark.parametrize("name", ["recordings/tour/torch.cpu.ipynb", "snippets/empty/notes.txt"])
@pytest.mark.parametrize("verb", ["plan", "record", "verify", "check"])
@pytest.mark.usefixtures("kernels")
def test_a_damaged_recording_and_a_page_without_scripts_break_no_verb(
    handbook: Settings, polytab: Callable[..., Said], verb: str, name: str
) -> None:
    record(handbook)
    write(handbook.root, {name: "damaged"})
    assert polytab(verb).code in {0, 1}


@pytest.mark.parametrize("verb", ["plan", "record", "verify", "check"])
@pytest.mark.usefixtures("kernels")
def test_a_page_that_is_not_text_is_told(
    handbook: Settings, polytab: Callable[..., Said], verb: str
) -> None:
    record(handbook)
    (handbook.docs / "tour.md").write_bytes(b"\xff\xfe")
    said = polytab(verb)
    assert said.code == (1 if verb == "check" else 0)
    assert ("tour.md" in said.out + said.err) == (verb == "check")


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
    assert polytab("record").lines == ["4 scripts: 0 recorded, 4 fresh, 0 failed"]
    _edit(handbook, TORCH, "x = 1 + 2", "x = 2 + 2")
    said = polytab("record")
    assert said.code == 0
    assert said.lines == [
        "tour/torch: runs, because cell `add` changed",
        "tour/torch: recorded in 2 s",
        "4 scripts: 1 recorded, 3 fresh, 0 failed",
    ]
    assert kernels == ["tour/torch"]
    assert polytab("plan").lines[-1] == "4 scripts, 0 to run"


def test_all_can_be_made_to_run(
    handbook: Settings, polytab: Callable[..., Said], kernels: list[str]
) -> None:
    record(handbook)
    assert polytab("record", "--all", "tour").code == 0
    assert kernels == ["tour/python", "tour/torch", "tour/mxnet"]


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
    assert kernels == ["end/python", "tour/python", "tour/mxnet"]
    assert said.lines[-1] == "4 scripts: 3 recorded, 0 fresh, 1 failed"


@pytest.mark.parametrize("words", [[], ["--overlay"]])
def test_a_script_that_fails_is_an_error_for_everyone(
    handbook: Settings, polytab: Callable[..., Said], words: list[str]
) -> None:
    seal(handbook, "python")
    write(handbook.root, {"snippets/end/python.py": "# %% last\n1 / 0\n"})
    said = polytab("record", "end", *words)
    assert said.code == 1
    assert "python.py:1: end/python: cell `last` raised ZeroDivisionError" in said.err


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
        "tour/torch: runs again",
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
    _edit(handbook, "docs/tour.md", "# Tour", "# Tour\n\n:::{snippet} twice\n:::")
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
    assert said.lines[-1] == "3 findings"


# site


def test_a_strict_site_takes_no_stale_output(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    said = polytab("site", "en", "--strict")
    assert said.code == 1
    assert "tour/torch is stale: there is no recording yet" in said.err
    assert (handbook.site / "en" / "tour.html").is_file()


# The shell around it.


COMMAND = [sys.executable, "-c", "import sys; from polytab.cli import main; sys.exit(main())"]
ENDLESS = '# %% add\nprint("torch")\n\n# %% twice\nimport time\ntime.sleep(1000)\n'


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("awaited", ["runs, because", "cell 2 of 2"])
def test_an_interrupt_leaves_no_process_no_file_and_every_recording(
    handbook: Settings, number: int, awaited: str
) -> None:
    record(handbook)
    write(handbook.root, {TORCH: ENDLESS})
    seal(handbook, "torch")
    before = {path: path.read_bytes() for path in handbook.recordings.rglob("*.ipynb")}
    with tempfile.TemporaryDirectory(prefix="pt-") as scratch:
        with subprocess.Popen(
            [*COMMAND, "record", "torch"],
            cwd=handbook.root,
            env={**os.environ, "TMPDIR": scratch},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            assert any(awaited in line for line in process.stdout)
            process.send_signal(number)
            _, errors = process.communicate(timeout=60)
        assert eventually(lambda: processes(Path(scratch)) == [])
        assert list(Path(scratch).iterdir()) == []
    assert process.returncode == 130
    assert errors == "interrupted: what was recorded before is kept\n"
    assert {path: path.read_bytes() for path in handbook.recordings.rglob("*")
            if path.is_file()} == before  # fmt: skip


def test_a_reader_that_has_gone_is_no_reason_for_a_traceback(handbook: Settings) -> None:
    with subprocess.Popen(
        [*COMMAND, "plan"],
        cwd=handbook.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert process.returncode == 1
    assert errors == ""


def test_help_names_every_verb_with_what_it_does(polytab: Callable[..., Said]) -> None:
    said = polytab("--help")
    assert said.code == 0
    for verb in ("plan", "record", "verify", "site", "live", "check"):
        assert re.search(rf"^    {verb}\s+[a-z]", said.out, re.MULTILINE)
