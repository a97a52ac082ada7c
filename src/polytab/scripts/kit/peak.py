"""The most memory that a call needs, as Linux counts it."""

import ctypes
import gc
import pathlib

STATUS = pathlib.Path("/proc/self/status")
RESET = pathlib.Path("/proc/self/clear_refs")

C = ctypes.CDLL(None)
# From 1 MiB on, an array gets pages of its own, and they go back when it is
# freed. Otherwise what earlier calls have left would be used again, uncounted.
C.mallopt(-3, 2**20)  # M_MMAP_THRESHOLD


def peak(run):
    """Return how far memory rises, in bytes, while `run` is called.

    compare("chain", eager=lambda: f(x), memory=peak)
    """
    run()  # What is made once and kept does not count.
    gc.collect()
    C.malloc_trim(0)  # What is free goes back to the system.
    RESET.write_text("5")  # The highest mark so far is forgotten.
    before = _status("VmRSS")
    result = run()
    highest = _status("VmHWM")
    del result
    return max(0, highest - before)


def _status(name):
    """Return a line of the status of this process, which is in kB."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise LookupError(name)
