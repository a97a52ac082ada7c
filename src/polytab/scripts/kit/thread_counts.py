"""How many threads the libraries of this process may use."""

import ctypes
import os
import sys
from pathlib import Path

MAPS = Path("/proc/self/maps")

# The functions with which libraries of these names tell how many they use.
QUESTIONS = {
    "gomp": ["omp_get_max_threads"],
    "iomp": ["omp_get_max_threads"],
    "libomp": ["omp_get_max_threads"],
    "mkl": ["MKL_Get_Max_Threads"],
    "openblas": [
        f"{prefix}openblas_get_num_threads{suffix}"
        for prefix in ("", "scipy_") for suffix in ("", "64_", "_64")],
}


def thread_counts():
    """Return how many threads each loaded library may use, by its name.

    `cores` is how many cores this process may use; XLA starts a thread for
    each of them.
    """
    counts = {"cores": len(os.sched_getaffinity(0))}
    torch = sys.modules.get("torch")
    if hasattr(torch, "get_num_threads"):
        counts["torch"] = torch.get_num_threads()
    tensorflow = sys.modules.get("tensorflow")
    if hasattr(tensorflow, "config"):
        ask = tensorflow.config.threading.get_intra_op_parallelism_threads
        told = ask() or os.environ.get("TF_NUM_INTRAOP_THREADS")
        counts["tensorflow"] = int(told or counts["cores"])
    for path in _loaded():
        name = path.name.partition(".so")[0].partition("-")[0]
        number = _ask(path)
        if number is not None:
            counts[name] = max(number, counts.get(name, 0))
    return counts


def differing(counts):
    """Return a note on each case that has other threads than the first.

    `counts` holds what `thread_counts` has returned for each case.
    """
    first, *others = counts
    notes = []
    for case in others:
        apart = [
            f"{library} may use {number} threads,"
            f" {counts[first][library]} in `{first}`"
            for library, number in counts[case].items()
            if counts[first].get(library, number) != number]
        if apart:
            notes.append({"case": case, "rule": "other threads",
                          "detail": "; ".join(apart)})
    return notes


def _loaded():
    """Return the files of the libraries that have threads of their own."""
    lines = MAPS.read_text().splitlines()
    paths = {line.split(maxsplit=5)[5] for line in lines if ".so" in line}
    return [Path(path) for path in sorted(paths)
            if any(name in Path(path).name for name in QUESTIONS)]


def _ask(path):
    """Return how many threads a loaded library may use, if it tells."""
    try:
        library = ctypes.CDLL(str(path), mode=os.RTLD_NOLOAD)
    except OSError:
        return None
    for name, functions in QUESTIONS.items():
        for function in functions:
            if name in path.name and hasattr(library, function):
                return int(getattr(library, function)())
    return None
