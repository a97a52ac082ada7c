"""Certificates for the hosts of a test, made on the spot."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import trustme

from polytab.runner.run_config import Certificates

if TYPE_CHECKING:
    from pathlib import Path


def certificates(folder: Path, *addresses: str) -> Certificates:
    """Make an authority and one certificate of it."""
    folder.mkdir()
    authority = trustme.CA()
    issued = authority.issue_cert(*addresses)
    made = Certificates(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    authority.cert_pem.write_to_path(os.fspath(made.ca))
    issued.cert_chain_pems[0].write_to_path(os.fspath(made.certificate))
    issued.private_key_pem.write_to_path(os.fspath(made.key))
    return made


def words_of(made: Certificates, *options: str) -> list[str]:
    """Spell certificates as the options of a command."""
    files = (made.ca, made.certificate, made.key)
    return [word for pair in zip(options, map(str, files), strict=True) for word in pair]
