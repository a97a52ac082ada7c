"""How jobs are run: on this machine or by a scheduler's workers, and with which shared store.

Law, guarded by tests/runner/cluster/test_tls.py: a scheduler on another machine is reached by TLS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from polytab.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Certificates:
    """Three PEM files: the authority that is trusted, our own certificate, and its key."""

    ca: Path
    certificate: Path
    key: Path


@dataclass(frozen=True)
class RunConfig:
    """How jobs are run: here, unless a scheduler is named."""

    build: Path
    """Where this machine keeps environments and temporary files."""
    scheduler: str | None = None
    """Address of the scheduler whose workers run the jobs."""
    certificates: Certificates | None = None
    jobs: int | None = None
    """How many at once on this machine; None: as many as it has cores."""
    interpreter: Path | None = None
    """Python whose existing packages are used, on this machine, instead of pinned environments."""
    store: str | None = None
    """Address of the shared store; None for recordings that were made without pins."""
    confine: str = "off"
    """Whether kernels are confined, here and on workers: one of `CONFINE`."""

    @property
    def envs(self) -> Path | None:
        """Folder of the environments; None where each worker has its own."""
        return None if self.scheduler else (self.build / "envs").resolve()  # it may be a link


def certificates_of(
    ca: Path | None, certificate: Path | None, key: Path | None
) -> Certificates | None:
    """Return the certificates of a command; None leaves them to Dask's own configuration.

    Raises UsageError where one or two of them are missing, or a file is not there.
    """
    if ca is None or certificate is None or key is None:
        if (ca, certificate, key) == (None, None, None):
            return None
        msg = "TLS needs three files"
        raise UsageError(msg, hint="give all of --tls-ca, --tls-cert and --tls-key, or none")
    for file in (ca, certificate, key):
        if not file.is_file():
            msg = f"there is no file {file}"
            raise UsageError(msg, hint="name a PEM file")
    return Certificates(ca, certificate, key)


def host_of(scheduler: str) -> str:
    """Return the host of a scheduler's address; UsageError if it is none, or would be unencrypted.

    Only this machine's own scheduler may be reached by plain `tcp://`.
    """
    try:
        url = urlsplit(scheduler)
        host, port = url.hostname, url.port
    except ValueError:
        host = port = None
    if host is None or port is None or url.scheme not in {"tcp", "tls"}:
        msg = f"`{scheduler}` is no address of a scheduler"
        raise UsageError(msg, hint="write tls://host:port")
    if url.scheme == "tcp" and host not in LOOPBACK:
        msg = f"`{scheduler}` is not encrypted: whoever can reach it can run anything on it"
        raise UsageError(msg, hint="write tls://host:port, and give the certificates")
    return host
