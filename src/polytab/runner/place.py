"""Where jobs run: on this machine, or on the cluster of a scheduler, never across an open wire.

And which shared store may spare them.
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
    """Three PEM files: who may be trusted, who we are, and the key that proves it."""

    ca: Path
    certificate: Path
    key: Path


@dataclass(frozen=True)
class Place:
    """A machine with the folder of its environments and caches; or a scheduler's cluster."""

    build: Path
    scheduler: str | None = None
    certificates: Certificates | None = None
    jobs: int | None = None
    """How many at once on this machine; as many as it has cores where it is not said."""
    interpreter: Path | None = None
    """Whose environment is used as it is found, on this machine, in place of pinned ones."""
    store: str | None = None
    """Where recordings of pinned environments are shared; none, for those that are found."""

    @property
    def envs(self) -> Path | None:
        """Where workers keep environments; elsewhere that is their own matter."""
        return None if self.scheduler else self.build / "envs"


def certificates_of(
    ca: Path | None, certificate: Path | None, key: Path | None
) -> Certificates | None:
    """Return the certificates of a command; None leaves them to Dask's own configuration."""
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
    """Return the host of a scheduler's address, which is encrypted unless it is this machine."""
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
