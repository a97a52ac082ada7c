"""What PyTorch has held on GPUs, and what it was built with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator


def peak_gpu_memory() -> list[int]:
    """Return the most bytes that were held on each GPU."""
    return [torch.cuda.max_memory_allocated(at) for at in range(torch.cuda.device_count())]


def libraries() -> Iterator[str]:
    """Yield the libraries that it was built with, with their versions."""
    for pattern, name in (
        (r"Math Kernel Library Version (\d[\w.]*)", "MKL"),
        (r"MKL-DNN v(\d[\d.]*)", "oneDNN"),
        (r"OpenMP (\d+)", "OpenMP"),
    ):
        if match := re.search(pattern, torch.__config__.show()):
            yield f"{name} {match[1]}"
