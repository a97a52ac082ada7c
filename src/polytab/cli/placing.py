"""The words of a command that say where jobs run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polytab.runner.place import Place, certificates_of, host_of

if TYPE_CHECKING:
    from argparse import Namespace

    from polytab.settings import Settings


def place_of(settings: Settings, options: Namespace) -> Place:
    """Return where a command wants its jobs to run; a wrong word is told before any runs."""
    certificates = certificates_of(options.tls_ca, options.tls_cert, options.tls_key)
    if options.scheduler is not None:
        host_of(options.scheduler)
    return Place(settings.build, options.scheduler, certificates, options.jobs)
