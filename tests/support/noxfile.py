"""The sessions of this repository as a module, loaded once: nox registers each but once."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any


@cache
def load_noxfile() -> Any:  # noqa: ANN401  # a module nobody imports
    """Load noxfile.py of this repository."""
    root = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("noxfile", root / "noxfile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
