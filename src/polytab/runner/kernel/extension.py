"""An IPython extension that the kernel of a script loads before the first cell.

It is copied to where the kernel finds it, with a JSON file of the same name that lists the names of
the cells, and uses only what every environment has: the standard library and IPython. A kernel
that cannot load it does not start.
"""

from __future__ import annotations

import json
import re
import select
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401  # its privates are set, see below
    """Set a shell up: file names of cells, tracebacks, and where output belongs."""
    cells = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    _name_cells(shell, cells)
    _shorten_tracebacks(shell, cells)
    shell.events.register("post_execute", _wait_for_output)


def gpus_used() -> int:
    """Count the GPUs on which an imported framework has held memory.

    A framework that finds no GPU, or is not told to use it, works on the CPU and says nothing. Each
    remembers the most memory it has held on each GPU: none held, none used.
    """
    asked = (_torch, _jax, _tensorflow, _paddle)
    imported = [(ask, sys.modules.get(ask.__name__.removeprefix("_"))) for ask in asked]
    peaks = [ask(module) for ask, module in imported if module is not None]
    return max((sum(peak > 0 for peak in each) for each in peaks), default=0)


def libraries_used() -> str:
    """Return which libraries compute for this process, as far as frameworks and Linux tell.

    PyTorch and MXNet say what they were built with; of others it is what they have loaded.
    """
    found = {*_loaded(Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace"))}
    torch, mxnet = sys.modules.get("torch"), sys.modules.get("mxnet")
    if torch is not None:
        found |= {*_named(torch.__config__.show())}
    if mxnet is not None:
        features = mxnet.runtime.Features()
        known = {"BLAS_OPEN": "OpenBLAS", "BLAS_MKL": "MKL", "MKLDNN": "oneDNN", "OPENMP": "OpenMP"}
        found |= {name for feature, name in known.items() if features.is_enabled(feature)}
    bare = {each.split(" ")[0] for each in found if " " in each}
    return ", ".join(sorted(found - bare))


def _loaded(maps: str) -> Iterator[str]:
    """Yield the libraries of linear algebra and threads among the files of a process."""
    known = {"openblas": "OpenBLAS", "mkl_": "MKL", "mklml": "MKL", "dnnl": "oneDNN"}
    known |= {"blis": "BLIS", "gomp": "libgomp", "iomp5": "libiomp5", "omp": "libomp"}
    for file in re.findall(r"/lib([\w.+-]+\.so[\w.]*)$", maps, re.MULTILINE):
        name = next((known[each] for each in known if file.startswith(each)), None)
        version = re.search(r"-(\d+(?:\.\d+)+)(?:\.dev\d*)?\.so", file)
        if name is not None:
            yield f"{name} {version[1]}" if version else name


def _named(text: str) -> Iterator[str]:
    """Yield the libraries that PyTorch names, with their versions."""
    for pattern, name in (
        (r"Math Kernel Library Version (\d[\w.]*)", "MKL"),
        (r"MKL-DNN v(\d[\d.]*)", "oneDNN"),
        (r"OpenMP (\d+)", "OpenMP"),
    ):
        if match := re.search(pattern, text):
            yield f"{name} {match[1]}"


def _torch(it: Any) -> list[int]:  # noqa: ANN401  # a framework that need not be installed
    return [it.cuda.max_memory_allocated(at) for at in range(it.cuda.device_count())]


def _jax(it: Any) -> list[int]:  # noqa: ANN401  # the same
    devices = [each for each in it.local_devices() if each.platform == "gpu"]
    return [(each.memory_stats() or {}).get("peak_bytes_in_use", 0) for each in devices]


def _tensorflow(it: Any) -> list[int]:  # noqa: ANN401  # the same
    ask = it.config.experimental.get_memory_info
    names = [each.name for each in it.config.list_logical_devices("GPU")]
    return [ask(name.removeprefix("/device:"))["peak"] for name in names]


def _paddle(it: Any) -> list[int]:  # noqa: ANN401  # the same
    cuda = it.device.cuda
    return [cuda.max_memory_allocated(at) for at in range(cuda.device_count())]


def _name_cells(shell: Any, names: Sequence[str]) -> None:  # noqa: ANN401
    """Give cells stable file names, and run them as they are, without IPython's own syntax."""

    def code_name(raw_code: str, transformed_code: str, number: int) -> str:
        del raw_code, transformed_code
        return names[number - 1] if number <= len(names) else f"cell {number}"

    shell.compile.get_code_name = code_name
    manager = shell.input_transformer_manager
    for transforms in (manager.cleanup_transforms, manager.line_transforms):
        transforms.clear()
    manager.token_transformers.clear()


def _shorten_tracebacks(shell: Any, names: Sequence[str]) -> None:  # noqa: ANN401
    """Show of a traceback the frames that lie in the page's cells."""
    show_any = shell.showtraceback
    show = shell._showtraceback  # noqa: SLF001  # IPython has no public way to word a traceback

    def shorten(part: traceback.TracebackException | None) -> None:
        while part is not None:
            kept = [frame for frame in part.stack if frame.filename in names]
            part.stack = traceback.StackSummary.from_list(kept)
            for each in part.exceptions or ():
                shorten(each)
            part = part.__cause__ or part.__context__

    def show_traceback(kind: type[BaseException], error: BaseException, shown: object) -> None:
        del shown
        whole = traceback.TracebackException.from_exception(error)
        shorten(whole)
        show(kind, error, "".join(whole.format()).rstrip().split("\n"))

    def show_raised(*words: object, **options: object) -> None:
        """Go round IPython, which only prints groups and so hides that they were raised."""
        kind, error, _ = sys.exc_info()
        if kind is None or error is None or isinstance(error, SyntaxError):
            show_any(*words, **options)
        else:
            show_traceback(kind, error, None)

    shell._showtraceback = show_traceback  # noqa: SLF001
    shell.showtraceback = show_raised


def _wait_for_output() -> None:
    """Wait at the end of a cell until what was printed below Python has been read."""
    for stream in (sys.stdout, sys.stderr):
        pipe = getattr(stream, "_fid", None)  # where ipykernel reads the file descriptor
        for _ in range(1000):  # a child that prints for ever must not hold the cell
            if pipe is None or not select.select([pipe], [], [], 0)[0]:
                break
            time.sleep(0.001)
    time.sleep(0.005)  # the reader has taken the last piece and hands it on
