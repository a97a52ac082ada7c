"""What PaddlePaddle has held on GPUs."""

from __future__ import annotations

import paddle


def peak_gpu_memory() -> list[int]:
    """Return the most bytes that were held on each GPU."""
    cuda = paddle.device.cuda
    return [cuda.max_memory_allocated(at) for at in range(cuda.device_count())]
