"""What JAX has held on GPUs."""

from __future__ import annotations

import jax


def peak_gpu_memory() -> list[int]:
    """Return the most bytes that were held on each GPU."""
    devices = [each for each in jax.local_devices() if each.platform == "gpu"]
    return [(each.memory_stats() or {}).get("peak_bytes_in_use", 0) for each in devices]
