"""Over TLS a job runs as elsewhere, and who has no certificate of ours gets nowhere."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.errors import UsageError, WorkerError
from polytab.runner.cluster import connection
from polytab.runner.cluster.run import run_jobs
from polytab.runner.run_config import Certificates, RunConfig, certificates_of
from tests.runner.cluster.certificates import certificates, words_of
from tests.runner.cluster.machines import POLYTAB, running, scheduler
from tests.support.handbook import job
from tests.support.sealed import seal

if TYPE_CHECKING:
    from polytab.settings import Settings


def test_only_who_has_our_certificates_can_run_jobs(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal(handbook, "python")
    ours = certificates(tmp_path / "ours", "127.0.0.1")
    theirs = certificates(tmp_path / "theirs", "127.0.0.1")
    trusted = words_of(ours, "--tls-ca-file", "--tls-cert", "--tls-key")
    words = words_of(ours, "--tls-ca", "--tls-cert", "--tls-key")
    words += ["--name", "one", "--jobs", "1", "--envs", str(handbook.build / "envs")]
    with scheduler(tmp_path, *trusted, protocol="tls") as address:
        assert address.startswith("tls://127.0.0.1:")
        with running([*POLYTAB, "worker", address, *words], tmp_path / "one"):
            config = RunConfig(handbook.build, address, ours)
            last = job(handbook, "end", "python")
            [outcome] = run_jobs([last], config, lambda _: None)
            assert outcome.error is None
            monkeypatch.setattr(connection, "SCHEDULER_TIMEOUT", 2)
            for stranger in (theirs, replace(theirs, ca=ours.ca)):
                with pytest.raises(WorkerError, match="cannot be reached"):
                    list(run_jobs([last], replace(config, certificates=stranger), lambda _: None))


def test_a_worker_too_goes_nowhere_without_encryption(tmp_path: Path) -> None:
    ended = subprocess.run(
        [*POLYTAB, "worker", "tcp://192.0.2.1:8786"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert "is not encrypted" in ended.stderr


def test_certificates_are_given_all_or_none(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.touch()
    assert certificates_of(None, None, None) is None
    assert certificates_of(file, file, file) == Certificates(file, file, file)
    with pytest.raises(UsageError, match="TLS needs three files"):
        certificates_of(file, None, file)
    with pytest.raises(UsageError, match="there is no file"):
        certificates_of(file, tmp_path / "gone.pem", file)


MANUAL = Path(__file__).parents[3] / "docs" / "contributing" / "recording.md"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")
def test_the_certificates_of_the_manual_are_taken(handbook: Settings, tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
    [written] = [block for block in blocks if block.startswith("openssl")]
    subprocess.run(["sh", "-ec", written], cwd=tmp_path, check=True, capture_output=True)
    seal(handbook, "python")
    made = Certificates(*(tmp_path / f"{name}.pem" for name in ("ca", "cert", "key")))
    trusted = words_of(made, "--tls-ca-file", "--tls-cert", "--tls-key")
    mine = words_of(made, "--tls-ca", "--tls-cert", "--tls-key")
    mine += ["--jobs", "1", "--envs", str(handbook.build / "envs")]
    with (
        scheduler(tmp_path, *trusted, protocol="tls") as address,
        running([*POLYTAB, "worker", address, *mine], tmp_path / "one"),
    ):
        [outcome] = run_jobs(
            [job(handbook, "end", "python")],
            RunConfig(handbook.build, address, made),
            lambda _: None,
        )
        assert outcome.error is None
