"""A confined kernel: what is not listed is not there, and outputs are as without."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from polytab.errors import ConfineError, RunError
from polytab.runner.environments import existing_environment
from polytab.runner.kernel import confine
from polytab.runner.kernel.confine import what_is_missing
from polytab.runner.kernel.run import run
from tests.support.handbook import job, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from polytab.model import Job, Recording
    from polytab.settings import Settings

HERE = existing_environment(Path(sys.executable), "ipykernel")

pytestmark = [
    pytest.mark.usefixtures("watched"),
    pytest.mark.skipif(what_is_missing() is not None, reason=f"here {what_is_missing()}"),
]


def _job(settings: Settings, code: str, block: str = "", confine: str = "required") -> Job:
    header = f"# /// polytab\n# {block}\n# ///\n" if block else ""
    write(settings.root, {"snippets/tour/torch.py": f"{header}# %% only\n{code}"})
    return replace(job(settings), confine=confine)


def _run(made: Job) -> Recording:
    return run(made, HERE, lambda _: None)


def _said(recording: Recording) -> str:
    outputs: list[Any] = [output for cell in recording.cells for output in cell.outputs]
    return "".join(output["text"] for output in outputs)


LOOKS = """\
import glob, os, pathlib
def can(path, mode=os.R_OK):
    return os.access(path, mode)
print("secret", can(SECRET))
print("home", can(HOME))
print("checkout", can(CHECKOUT))
print("shadow", can("/etc/shadow"), can("/run"), can("/home"), can("/var/log"))
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
print("recorder", any(b"pytest" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
                      for pid in pids if pid != 1))
words = b"".join(pathlib.Path(path).read_bytes() for path in glob.glob("/proc/[0-9]*/environ"))
print("variables", b"AWS_SECRET" in words, b"TLS_KEY" in words, "AWS_SECRET" in os.environ)
for path in ("/usr/x", "/etc/x", ENVIRONMENT + "/x", "/x"):
    try:
        open(path, "w")
    except OSError as error:
        print("refused")
print(open("/proc/self/status").read().partition("CapEff:")[2].split()[0])
"""


def test_a_script_finds_no_secret_no_home_and_no_other_process(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys of a cluster, credentials of a store and variables of the recorder among them."""
    key = tmp_path / "key.pem"
    key.write_text("PRIVATE", encoding="utf-8")
    monkeypatch.setenv("AWS_SECRET", "word")
    monkeypatch.setenv("DASK_TLS_KEY", str(key))
    places = {
        "SECRET": str(key),
        "HOME": os.path.expanduser("~/.ssh"),  # noqa: PTH111  # as a script would
        "CHECKOUT": str(handbook.root),
        "ENVIRONMENT": sys.prefix,
    }
    code = "".join(f"{name} = {place!r}\n" for name, place in places.items()) + LOOKS
    assert _said(_run(_job(handbook, code))).splitlines() == [
        *("secret False", "home False", "checkout False", "shadow False False False False"),
        *("recorder False", "variables False False False"),
        *["refused"] * 4,
        "0000000000000000",
    ]


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


CALLS = """\
import socket
try:
    socket.create_connection(("127.0.0.1", PORT), 5).close()
    print("reached")
except OSError as error:
    print(type(error).__name__)
"""


def test_the_network_is_a_loopback_of_its_own(handbook: Settings, listening: int) -> None:
    assert _said(_run(_job(handbook, f"PORT = {listening}\n{CALLS}"))) == "ConnectionRefusedError\n"
    asks = _job(handbook, f"PORT = {listening}\n{CALLS}", "network = true")
    made = _run(asks)
    assert _said(made) == "reached\n"
    words = "bubblewrap, with the machine's network; no limits on memory and processes"
    assert made.provenance.confined == words


WORKS = """\
import multiprocessing, os, platform, socket, subprocess, tempfile, threading
from multiprocessing import shared_memory
here, there = multiprocessing.get_context("fork").Pipe()
child = multiprocessing.get_context("fork").Process(target=there.send, args=("forked",))
child.start(); print(here.recv()); child.join()
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(abs, [-1, -2]))
block = shared_memory.SharedMemory(create=True, size=10); block.close(); block.unlink()
server = socket.create_server(("localhost", 0))
client = socket.create_connection((socket.gethostname(), server.getsockname()[1]))
print("connected")
print(subprocess.run(["sh", "-c", "echo $((6 * 7))"], capture_output=True, text=True).stdout)
print(os.cpu_count(), platform.node(), platform.system(), len(os.sched_getaffinity(0)))
print(os.getcwd(), os.path.expanduser("~"), tempfile.mkstemp()[1].startswith(os.environ["TMPDIR"]))
open("written.txt", "w").write("x"); print(os.listdir())
print(os.path.exists("/dev/null"), len(os.urandom(3)))
raise ValueError("as said")
"""


def test_outputs_are_as_without(handbook: Settings) -> None:
    code = WORKS.replace("raise", '\n# %% fails raises="ValueError"\nraise')
    one, other = (_run(_job(handbook, code, confine=how)) for how in ("required", "off"))
    assert one.cells == other.cells
    assert "forked" in _said(replace(one, cells=one.cells[:1]))
    assert one.provenance.confined.startswith("bubblewrap")
    assert other.provenance.confined == "no: switched off"


def test_a_script_that_stands_before_a_python_is_left_out(
    handbook: Settings, tmp_path: Path
) -> None:
    shim = tmp_path / "python"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    made = run(
        _job(handbook, "print(1)\n"), existing_environment(shim, "ipykernel"), lambda _: None
    )
    assert _said(made) == "1\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os\nos.kill(os.getpid(), 9)\n", "killed by SIGKILL"),
        ("import os\nos._exit(3)\n", "exit status 3"),
        ("import ctypes\nctypes.string_at(0)\n", "killed by SIGSEGV"),
    ],
)
def test_how_a_kernel_died_is_told_as_without(handbook: Settings, code: str, words: str) -> None:
    with pytest.raises(RunError, match=words):
        _run(_job(handbook, code))


def test_what_a_script_leaves_in_place_of_its_log_is_not_read(
    handbook: Settings, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("PRIVATE", encoding="utf-8")
    code = f"""\
import os
os.chdir("..")
if os.path.exists("kernel.log"):
    os.unlink("kernel.log")
os.symlink({str(secret)!r}, "kernel.log")
os._exit(3)
"""
    with pytest.raises(RunError) as caught:
        _run(_job(handbook, code))
    assert "PRIVATE" not in str(caught.value)


@pytest.mark.parametrize("network", ["", "network = true"])
def test_where_it_cannot_be_confined_it_is_refused_or_said(
    handbook: Settings, monkeypatch: pytest.MonkeyPatch, network: str
) -> None:
    monkeypatch.setattr(confine, "what_is_missing", lambda: "there is no `bwrap`")
    with pytest.raises(ConfineError, match="cannot be confined here: there is no `bwrap`") as told:
        _run(_job(handbook, "print(1)\n", network))
    assert told.value.hint
    made = _run(_job(handbook, "print(1)\n", network, "where possible"))
    assert made.provenance.confined.startswith("no: there is no `bwrap`")


def test_what_is_missing_is_told_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert what_is_missing.__wrapped__() == "there is no `bwrap`"
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n", encoding="utf-8")
    fake.chmod(0o755)
    assert what_is_missing.__wrapped__() == "`bwrap` fails: bwrap: No permissions"
