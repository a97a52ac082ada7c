"""A machine that pretends to have GPUs: an `nvidia-smi` of ours, first on the PATH."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

H100 = "NVIDIA H100 80GB HBM3"
ROWS = (
    f"0, GPU-aaaa0000, {H100}, 81559, 580.159.04, Disabled",
    f"1, GPU-bbbb1111, {H100}, 81559, 580.159.04, Disabled",
)
_SAID = "| NVIDIA-SMI 580.159.04   Driver Version: 580.159.04   CUDA Version: 13.0     |"


def pretend(
    folder: Path,
    patch: pytest.MonkeyPatch,
    *rows: str,
    said: str = _SAID,
    listed: str = "",
    before: str = "",
) -> None:
    """Put an `nvidia-smi` on the PATH that answers with these rows; `before` is shell code."""
    answers = {"query": "\n".join(rows), "said": said, "listed": listed}
    write(folder, {name: f"{text}\n" if text else "" for name, text in answers.items()})
    script = f"""\
#!/bin/sh
{before}
case "$1" in
  --query-gpu=*) cat '{folder}/query' ;;
  -L) cat '{folder}/listed' ;;
  *) cat '{folder}/said' ;;
esac
"""
    write(folder, {"bin/nvidia-smi": script})
    (folder / "bin" / "nvidia-smi").chmod(0o755)
    patch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    patch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
