"""What TensorFlow has held on GPUs."""

from __future__ import annotations

import tensorflow as tf


def peak_gpu_memory() -> list[int]:
    """Return the most bytes that were held on each GPU."""
    ask = tf.config.experimental.get_memory_info
    names = [each.name for each in tf.config.list_logical_devices("GPU")]
    return [ask(name.removeprefix("/device:"))["peak"] for name in names]
