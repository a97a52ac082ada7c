"""The folder one run lives in, and all that its kernel sees of the machine around it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polytab.runner.kernel import probes
from polytab.runner.kernel.confine import confined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polytab.model import Job
    from polytab.runner.environments import Installed
    from polytab.runner.machine import Gpu

THREADS = "2"
"""Threads inside an operator, on every machine: last digits differ with their number."""

_EXTENSION = "polytab_kernel"
"""The name under which a kernel imports `extension.py`."""

PROBES = "polytab_probes"
"""The name under which a kernel imports the folder `probes`."""

_EXTENSION_FILE = Path(__file__).with_name("extension.py")
_NO_CACHE = shutil.ignore_patterns("__pycache__")
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "CUDA_HOME")


@dataclass(frozen=True)
class Scratch:
    """The folder one run lives in: short, so that sockets fit, and removed after it."""

    root: Path

    @property
    def work(self) -> Path:
        """The script's working folder, empty but for its data."""
        return self.root / "work"

    def fill(self, job: Job, installed: Installed, gpus: Sequence[Gpu], *, confines: bool) -> None:
        """Lay out what the script needs, and the command of its kernel."""
        spec = self.root / "kernels" / "polytab"
        for folder in (self.work, spec, *(self.root / name for name in ("lib", "home", "tmp"))):
            folder.mkdir(parents=True)
        argv = [str(installed.interpreter), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        argv += [f"--IPKernelApp.extensions={_EXTENSION}"]
        argv += ["--IPKernelApp.reraise_ipython_extension_failures=True"]
        if confines:
            argv = confined(argv, job, installed, self.root, gpus=bool(gpus))
        kernel = {"argv": argv, "display_name": "polytab", "language": "python"}
        (spec / "kernel.json").write_text(json.dumps(kernel), encoding="utf-8")
        lib = self.root / "lib"
        names = [f"cell {cell.label}" for cell in job.script.cells]
        (lib / f"{_EXTENSION}.json").write_text(json.dumps(names), encoding="utf-8")
        (lib / f"{_EXTENSION}.py").write_bytes(_EXTENSION_FILE.read_bytes())
        self._fill_probes(job)
        for helper in job.script.helpers:
            (lib / helper.name).write_bytes(helper.content)
        for file in job.script.data:
            path = self.work / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)

    def _fill_probes(self, job: Job) -> None:
        """Lay out polytab's probes, and that of the book if the job's framework names one."""
        folder = self.root / "lib" / PROBES
        shutil.copytree(Path(probes.__file__).parent, folder, ignore=_NO_CACHE)
        if job.probe is not None:
            (folder / f"{probes.OWN}.py").write_bytes(job.probe.content)

    def variables(self, gpus: Sequence[Gpu] = (), *, existing: bool = False) -> dict[str, str]:
        """Return the whole environment of the kernel: none of ours but what it needs to start.

        It sees the GPUs it was given and no others. An existing environment may need what leads
        to its packages.
        """
        passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        home = str(self.root / "home")
        threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
        lib = str(self.root / "lib")
        ours = os.environ.get("PYTHONPATH", "") if existing else ""
        paths = [str(Path(each).resolve()) for each in ours.split(os.pathsep) if each]
        return {
            **passed,
            "CUDA_VISIBLE_DEVICES": ",".join(gpu.id for gpu in gpus),
            **{f"{name}_NUM_THREADS": THREADS for name in threads},
            "TF_NUM_INTRAOP_THREADS": THREADS,
            "TF_NUM_INTEROP_THREADS": THREADS,
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": os.pathsep.join([lib, *paths]),
            **({} if existing else {"PYTHONNOUSERSITE": "1"}),
            "PYTHONUNBUFFERED": "1",  # also C's own stdout: what C++ prints stays in its cell
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "HOME": home,
            "XDG_CACHE_HOME": home,
            "IPYTHONDIR": home,
            "TMPDIR": str(self.root / "tmp"),
        }
