"""Connect to a Dask cluster: one made of this machine, or a scheduler's, by TLS."""

from __future__ import annotations

import logging
import threading
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import dask
from distributed import Client, LocalCluster, Security

from polytab.errors import WorkerError
from polytab.runner.cluster.bytes_only import bytes_only, take_refused
from polytab.runner.cluster.serve import QUIET
from polytab.runner.run_config import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from polytab.runner.machine import Machine
    from polytab.runner.run_config import Certificates, RunConfig

MACHINE, GPU = "machine", "gpu"
"""Names of the Dask resources of a worker: 1 machine, and so many GPUs."""

SCHEDULER_TIMEOUT = 10.0
"""Seconds until we give up on a scheduler that does not answer."""


@contextmanager
def connected(config: RunConfig, machine: Machine) -> Iterator[Client]:
    """Yield a client of the cluster; WorkerError if the scheduler cannot be reached."""
    quiet = logging.CRITICAL  # what matters of what Dask says, we say
    for name in ("distributed", "distributed.client"):  # Dask gives both a level of their own
        logging.getLogger(name).setLevel(quiet)
    if config.scheduler is None:
        with (
            _local(config, machine, quiet) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    host_of(config.scheduler)
    with bytes_only():
        client = _remote(config.scheduler, _security(config.certificates))
        try:
            yield client
        finally:
            _close(client)


class _DeafClient(Client):  # type: ignore[misc]  # Dask has no types
    """A client that prints nothing of what workers and schedulers would have it print."""

    def subscribe_topic(self, topic: str, handler: Callable[[Any], object]) -> None:
        """Leave out the topics that Dask subscribes to by itself."""
        if topic not in {"print", "warn"}:
            super().subscribe_topic(topic, handler)


def _remote(scheduler: str, security: Security) -> Client:
    """Connect to a scheduler; WorkerError if it cannot be reached."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its words; what matters of them, we say
            return _DeafClient(
                scheduler,
                security=security,
                set_as_default=False,
                timeout=SCHEDULER_TIMEOUT,
                deserializers=["msgpack"],
            )
    except Exception as error:  # noqa: BLE001  # a scheduler may send an error of its own
        refused = take_refused()
        why = f"it sent `{refused}` where only bytes are taken" if refused else error
        msg = f"the scheduler {scheduler} cannot be reached: {why}"
        raise WorkerError(msg, hint="look at its address, its certificates and its log") from None


def _close(client: Client) -> None:
    """Close a client, which may be lost or stuck; it is not waited for beyond its time."""

    def close() -> None:
        with suppress(Exception):  # whatever the other side has done to it
            client.close(SCHEDULER_TIMEOUT / 2)

    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(SCHEDULER_TIMEOUT)
    client.status = "closed"  # else it tries again when it is thrown away, and complains


@contextmanager
def _local(config: RunConfig, machine: Machine, quiet: int) -> Iterator[LocalCluster]:
    """Make this machine a cluster: threads of ours, as kernels are processes anyway; no ports."""
    settings: dict[str, object] = {
        **QUIET,
        "distributed.scheduler.http.routes": [],  # Dask cannot do without its port
        "temporary-directory": str(config.build / "dask"),
    }
    with warnings.catch_warnings(), dask.config.set(settings):
        warnings.filterwarnings("ignore", "Couldn't detect a suitable IP", RuntimeWarning)
        cluster = LocalCluster(
            name=None,
            n_workers=1,
            processes=False,
            threads_per_worker=config.jobs or machine.cores,
            resources={MACHINE: 1, GPU: len(machine.gpus)},
            memory_limit=0,
            silence_logs=quiet,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
        )
    with cluster:
        yield cluster


def _security(certificates: Certificates | None) -> Security:
    """Return Dask's security settings; without certificates, those of Dask's configuration."""
    if certificates is None:
        return Security()
    certificate, key = str(certificates.certificate), str(certificates.key)
    return Security(
        require_encryption=True,
        tls_ca_file=str(certificates.ca),
        tls_client_cert=certificate,
        tls_client_key=key,
    )
