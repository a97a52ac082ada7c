"""Over TLS a job runs as elsewhere, and who has no certificate of ours gets nowhere."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import trustme

from polytab.errors import UsageError, WorkerError
from polytab.runner import cluster
from polytab.runner.cluster import run_jobs
from polytab.runner.place import Certificates, Place, certificates_of
from tests.handbook import job
from tests.runner.machines import POLYTAB, running, scheduler
from tests.sealed import seal

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings


def _certificates(folder: Path) -> Certificates:
    """Make an authority and one certificate of it."""
    folder.mkdir()
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1")
    made = Certificates(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    authority.cert_pem.write_to_path(os.fspath(made.ca))
    issued.cert_chain_pems[0].write_to_path(os.fspath(made.certificate))
    issued.private_key_pem.write_to_path(os.fspath(made.key))
    return made


def test_only_who_has_our_certificates_can_run_jobs(
    handbook: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal(handbook, "python")
    ours, theirs = _certificates(tmp_path / "ours"), _certificates(tmp_path / "theirs")
    trusted = ["--tls-ca-file", str(ours.ca), "--tls-cert", str(ours.certificate)]
    trusted += ["--tls-key", str(ours.key)]
    words = ["--tls-ca", str(ours.ca), "--tls-cert", str(ours.certificate)]
    words += ["--tls-key", str(ours.key), "--name", "one", "--jobs", "1"]
    words += ["--envs", str(handbook.build / "envs")]
    with scheduler(tmp_path, *trusted, protocol="tls") as address:
        assert address.startswith("tls://127.0.0.1:")
        with running([*POLYTAB, "worker", address, *words], tmp_path / "one"):
            place = Place(handbook.build, address, ours)
            last = job(handbook, "end", "python")
            [outcome] = run_jobs([last], place, lambda _: None)
            assert outcome.error is None
            monkeypatch.setattr(cluster, "_ANSWER", 2)
            for stranger in (theirs, replace(theirs, ca=ours.ca)):
                with pytest.raises(WorkerError, match="cannot be reached"):
                    list(run_jobs([last], replace(place, certificates=stranger), lambda _: None))


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
