"""Runs inside the kernel after the last cell: counts the GPUs on which its process has worked.

A framework that finds no GPU, or is not told to use it, works on the CPU and says nothing of it.
Each of them remembers the most memory it has held on each GPU: none held, none used.
"""

from __future__ import annotations


def gpus_used() -> int:
    """Count the GPUs on which a framework has held memory; those never imported are not asked."""
    import sys  # noqa: PLC0415
    from typing import Any  # noqa: PLC0415

    def torch(it: Any) -> list[int]:  # noqa: ANN401
        return [it.cuda.max_memory_allocated(at) for at in range(it.cuda.device_count())]

    def jax(it: Any) -> list[int]:  # noqa: ANN401
        devices = [each for each in it.local_devices() if each.platform == "gpu"]
        return [(each.memory_stats() or {}).get("peak_bytes_in_use", 0) for each in devices]

    def tensorflow(it: Any) -> list[int]:  # noqa: ANN401
        ask = it.config.experimental.get_memory_info
        names = [each.name for each in it.config.list_logical_devices("GPU")]
        return [ask(name.removeprefix("/device:"))["peak"] for name in names]

    def paddle(it: Any) -> list[int]:  # noqa: ANN401
        cuda = it.device.cuda
        return [cuda.max_memory_allocated(at) for at in range(cuda.device_count())]

    asked = (torch, jax, tensorflow, paddle)
    imported = [(ask, sys.modules.get(ask.__name__)) for ask in asked]
    return max(
        (sum(peak > 0 for peak in ask(module)) for ask, module in imported if module is not None),
        default=0,
    )
