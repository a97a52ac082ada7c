"""Questions to the libraries that a script has imported, asked in its kernel after the last cell.

A probe is a module with one or both of two functions: `peak_gpu_memory()` returns the most bytes
that its library has held on each GPU, `libraries()` the names of those that compute for it. The
modules beside this one are the probes of the libraries of their names, and are asked where such a
library was imported. A framework may name a probe of the book, which is asked in their place:

    [tool.polytab.frameworks.cupy]
    probe = "probes/cupy.py"

The folder is copied to where the kernel finds it, and uses the standard library only.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

OWN = "_own"
"""The name under which the probe of the book is copied beside the others."""

_LOADED_FILES = Path("/proc/self/maps")


def gpus_used() -> int:
    """Count the GPUs on which one library has held memory.

    A library that finds no GPU, or is not told to use it, works on the CPU and says nothing. It
    remembers the most memory it has held on each GPU: none held, none used.
    """
    peaks = [each.peak_gpu_memory() for each in _probes() if hasattr(each, "peak_gpu_memory")]
    return max((sum(1 for peak in each if peak > 0) for each in peaks), default=0)


def libraries_used() -> str:
    """Return which libraries compute for this process, as far as probes and Linux tell.

    A name with a version stands for the same name without one.
    """
    maps = _LOADED_FILES.read_text(encoding="utf-8", errors="replace")
    told = [each.libraries() for each in _probes() if hasattr(each, "libraries")]
    found = {*loaded(maps), *(name for each in told for name in each)}
    bare = {each.split(" ")[0] for each in found if " " in each}
    return ", ".join(sorted(found - bare))


def probes_asked() -> str:
    """Return the names of the probes that tell of memory on GPUs."""
    asked = [each.__name__ for each in _probes() if hasattr(each, "peak_gpu_memory")]
    return ", ".join(name.rpartition(".")[2] for name in asked)


def loaded(maps: str) -> Iterator[str]:
    """Yield the libraries of linear algebra and threads among the files of a process."""
    known = {"openblas": "OpenBLAS", "mkl_": "MKL", "mklml": "MKL", "dnnl": "oneDNN"}
    known |= {"blis": "BLIS", "gomp": "libgomp", "iomp5": "libiomp5", "omp": "libomp"}
    for file in re.findall(r"/lib([\w.+-]+\.so[\w.]*)$", maps, re.MULTILINE):
        name = next((known[each] for each in known if file.startswith(each)), None)
        version = re.search(r"-(\d+(?:\.\d+)+)(?:\.dev\d*)?\.so", file)
        if name is not None:
            yield f"{name} {version[1]}" if version else name


def _probes() -> Iterator[ModuleType]:
    """Import the book's probe, or else those whose libraries the script has imported."""
    here = Path(__file__).parent
    if (here / f"{OWN}.py").exists():
        names = [OWN]
    else:
        names = sorted(each.stem for each in here.glob("[!_]*.py"))
        names = [name for name in names if sys.modules.get(name) is not None]
    for name in names:
        yield importlib.import_module(f"{__name__}.{name}")
