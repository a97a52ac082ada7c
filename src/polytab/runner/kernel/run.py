"""Run one script in one fresh kernel of its environment -> `Recording`.

Laws, guarded by tests/runner/kernel/test_run.py: a script that fails leaves no recording, no
process and no file; what it wrote in its scratch folder goes with the folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import os
import signal
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from zmq import ZMQError

from polytab.errors import JobCancelledError, RunError
from polytab.model import CPU, Provenance, RecordedCell, Recording
from polytab.recordings.normalise import normalise_outputs, warnings_of
from polytab.runner.events import CANCEL_POLL_INTERVAL, never_cancelled
from polytab.runner.guard import guarded
from polytab.runner.kernel.client import Client
from polytab.runner.kernel.confine import confinement
from polytab.runner.kernel.failed_line import failed_line
from polytab.runner.kernel.scratch import PROBES, THREADS, Scratch
from polytab.runner.machine import accelerator_of, killed_for_memory, this_machine
from polytab.runner.processor import machine_facts
from polytab.scripts.helpers import imported_modules

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from polytab.model import Cell, Job
    from polytab.runner.environments import Installed
    from polytab.runner.machine import Gpu

_KERNEL_START_TIMEOUT = 120
"""Seconds until a kernel is given up that does not start, or does not answer between cells."""

_BWRAP_SIGNALS = 128
"""What bubblewrap, like a shell, adds to the number of the signal that ended its program."""

_LAST_WORDS = 10_000
"""How much of the end of a kernel's log is read, in bytes."""


def run(
    job: Job,
    installed: Installed,
    report: Callable[[str], None],
    cancelled: Callable[[], bool] = never_cancelled,
    gpus: Sequence[Gpu] = (),
) -> Recording:
    """Run a job to its end, on these GPUs, and return its recording, or raise `RunError`.

    Once it is cancelled, it ends at once and raises `JobCancelledError`.
    """
    started = time.monotonic()
    how = confinement(job)
    try:
        scratch = Scratch(Path(tempfile.mkdtemp(prefix="polytab-")).resolve())
        with guarded(str(scratch.root), scratch.root):
            scratch.fill(job, installed, gpus, confines=how.is_on)
            variables = scratch.variables(gpus, existing=installed.existing)
            with tempfile.TemporaryFile() as log:  # out of the script's reach
                work = _Run(job, scratch, variables, report, log, how.is_on).notebook()
                notebook = asyncio.run(_until_cancelled(cancelled, work))
    except TimeoutError:
        msg = f"{job.name}: the kernel did not answer within {_KERNEL_START_TIMEOUT} seconds"
        raise RunError(msg, file=job.script.path, hint="look at the machine's load") from None
    except (OSError, ZMQError) as error:
        msg = f"{job.name}: the machine would not run it: {error.strerror}"
        hint = f"look at the temporary folder, {tempfile.gettempdir()}: its room and its length"
        raise RunError(msg, file=job.script.path, hint=hint) from None
    places = {f"{scratch.work}/": "", str(scratch.work): ".", f"{scratch.root}/": ""}
    cells = tuple(
        RecordedCell(
            cell.label,
            cell.code,
            normalise_outputs(ran.outputs, places, job.log),
            cell.varies,
            warnings_of(ran.outputs),
        )
        for cell, ran in zip(job.script.cells, notebook.cells, strict=True)
    )
    facts = machine_facts(threads=THREADS, libraries=notebook.metadata["libraries"])
    provenance = replace(
        _provenance(job, installed, gpus, time.monotonic() - started),
        machine=facts,
        confined=how.words,
    )
    environment = job.environment
    return Recording(
        job.script.page, environment.framework, environment.device, job.key, provenance, cells
    )


def _provenance(job: Job, installed: Installed, gpus: Sequence[Gpu], seconds: float) -> Provenance:
    """Write down where, when and with what a job ran."""
    machine = this_machine()
    packages = {"python": installed.python, **installed.packages}
    shown = job.package or "python"
    code = "\n".join(cell.code for cell in job.script.cells)
    return Provenance(
        python=installed.python,
        package=shown,
        version=packages[shown],
        hardware=machine.processor,
        cores=machine.cores,
        system=machine.system,
        date=dt.datetime.now(dt.UTC).date().isoformat(),
        seconds=round(seconds, 1),
        accelerator=accelerator_of(gpus, installed.packages),
        imported=installed.imported(imported_modules(code, job.script.path), shown),
    )


async def _until_cancelled(
    cancelled: Callable[[], bool], work: Coroutine[None, None, nbformat.NotebookNode]
) -> nbformat.NotebookNode:
    """Return the work's result, or end it and raise JobCancelledError once it is cancelled."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.wait([task], timeout=CANCEL_POLL_INTERVAL)
        if not task.done() and cancelled():
            task.cancel()
            await asyncio.wait([task])
            msg = "nobody waits for it any more"
            raise JobCancelledError(msg)
    return task.result()


@dataclass(frozen=True)
class _Run:
    """One run of a script, from the start of its kernel to the end of its process group."""

    job: Job
    scratch: Scratch
    variables: Mapping[str, str]
    report: Callable[[str], None]
    log: IO[bytes]
    """What the kernel's process says beside its messages, its last words above all."""
    confined: bool

    async def notebook(self) -> nbformat.NotebookNode:
        cells = [nbformat.v4.new_code_cell(cell.code) for cell in self.job.script.cells]
        manager = AsyncKernelManager(
            kernel_name="polytab",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(self.scratch.root / "kernels")]),
            connection_file=str(self.scratch.root / "kernel.json"),
            transport="ipc",
            ip=str(self.scratch.root / "s"),
        )
        deadline = time.monotonic() + self.job.script.needs.timeout
        client = Client(
            nbformat.v4.new_notebook(cells=cells),
            km=manager,
            allow_errors=True,
            record_timing=False,
            startup_timeout=_KERNEL_START_TIMEOUT,
            iopub_timeout=_KERNEL_START_TIMEOUT,  # what a cell printed may arrive after its reply
            raise_on_iopub_timeout=True,
            timeout_func=lambda _: max(1, int(deadline - time.monotonic())),
        )
        group: int | None = None
        try:
            await client.async_start_new_kernel(
                cwd=str(self.scratch.work),
                env=dict(self.variables),
                stdout=self.log,
                stderr=self.log,
            )
            group = manager.provisioner.pid
            try:
                await client.async_start_new_kernel_client()
            except RuntimeError:
                raise self._error("the kernel did not start", None, self._last_words()) from None
            for index, cell in enumerate(self.job.script.cells):
                self.report(f"cell {index + 1} of {len(cells)}: `{cell.label}`")
                await self._execute(client, index, cell)
            client.nb.metadata["libraries"] = await self._ask(client, "libraries_used")
            if self.job.environment.device != CPU:
                await self._check_use(client)
        finally:
            await self._end(client, group)
        return client.nb

    async def _check_use(self, client: Client) -> None:
        """Refuse a run that left GPUs untouched: its numbers would be a CPU's."""
        used, given = int(await self._ask(client, "gpus_used")), self.job.gpus
        if used >= given:
            return
        hint = "put its work on the GPU; what a CPU did is never recorded as a GPU's"
        if not await self._ask(client, "probes_asked"):
            hint = f"no probe knows its library: {self._name_a_probe}"
        what = f"ran to its end, but used {used} GPU of the {given} it was given"
        raise self._error(what, None, hint)

    async def _ask(self, client: Client, question: str) -> str:
        """Return what a function of the probes returns in the kernel; RunError where it fails."""
        reply = await client.kc.execute(
            f"from {PROBES} import {question}",
            silent=True,
            user_expressions={"asked": f"{question}()"},
            reply=True,
            timeout=_KERNEL_START_TIMEOUT,
        )
        content = reply["content"]
        said = content.get("user_expressions", {}).get("asked", content)
        if said["status"] == "ok":
            return str(said["data"]["text/plain"]).strip("'\"")
        own = self.job.probe
        probe = f"its probe `{own.name}`" if own else "a probe of its library"
        hint = "mend the probe; its library may have changed" if own else self._name_a_probe
        what = f"ran to its end, but {probe} failed: {said.get('ename')}: {said.get('evalue')}"
        raise self._error(what, None, hint)

    @property
    def _name_a_probe(self) -> str:
        table = f"[tool.polytab.frameworks.{self.job.script.framework}]"
        return f'write a probe that fits it, and name it: `probe = "probes/name.py"` in {table}'

    async def _execute(self, client: Client, index: int, cell: Cell) -> None:
        client.printed = 0
        killed = killed_for_memory()
        try:
            ran = await client.async_execute_cell(client.nb.cells[index], index)
        except CellTimeoutError:
            limit = self.job.script.needs.timeout
            hint = "make it end sooner, or raise `timeout` in the inline block"
            raise self._error(f"did not end within {limit} seconds", cell, hint) from None
        except DeadKernelError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():  # nbclient takes Ctrl-C for a dead kernel
                raise asyncio.CancelledError from None
            how = await _how_it_died(client, confined=self.confined)
            if killed_for_memory() > killed:
                how += ": the memory ran out"
            raise self._error(f"ended the kernel ({how})", cell, self._last_words()) from None
        errors = [each for each in ran.outputs if each.output_type == "error"]
        raised = errors[-1].ename if errors else None
        if raised == cell.raises:
            return
        if raised is None:
            hint = "mend the cell, or drop `raises` from its line"
            raise self._error(f"should raise {cell.raises} but did not", cell, hint)
        trace = "\n    ".join("\n".join(errors[-1].traceback).rstrip().split("\n")[-12:])
        hint = f'mend it, or write `# %% {cell.label} raises="{raised}"` if it must fail'
        error = self._error(f"raised {raised}:\n    {trace}", cell, hint)
        error.line = failed_line(cell, errors[-1].traceback, self.job.script.path)
        raise error

    async def _end(self, client: Client, group: int | None) -> None:
        """Stop the kernel and all that it has started."""
        if client.kc is not None:
            client.kc.stop_channels()
        if group is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        if client.km is not None and client.km.has_kernel:
            await client.km.shutdown_kernel(now=True)

    def _last_words(self) -> str:
        size = self.log.seek(0, os.SEEK_END)
        self.log.seek(max(0, size - _LAST_WORDS))
        log = self.log.read(_LAST_WORDS).decode(errors="replace")
        words = "\n    ".join(log.strip().split("\n")[-5:])
        return f"its last words were:\n    {words}" if words else "it left no words"

    def _error(self, what: str, cell: Cell | None, hint: str) -> RunError:
        subject = f"{self.job.name}: cell `{cell.label}`" if cell else f"{self.job.name}:"
        line = cell.line if cell else None
        return RunError(f"{subject} {what}", file=self.job.script.path, line=line, hint=hint)


async def _how_it_died(client: Client, *, confined: bool) -> str:
    """Say how the kernel's process ended."""
    process = client.km.provisioner.process if client.km and client.km.provisioner else None
    code = process.poll() if process else None
    if code is None:
        return "no exit status"
    number = code - _BWRAP_SIGNALS if confined else -code
    if number in iter(signal.Signals):
        return f"killed by {signal.Signals(number).name}"
    return f"exit status {code}"
