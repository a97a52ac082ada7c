"""Tiny packages that a test offers to the real installer, in place of the network."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def offer(folder: Path, name: str, version: str, *requires: str) -> None:
    """Write the wheel of a package that holds one empty module and requires others."""
    folder.mkdir(exist_ok=True)
    about = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    files = {
        f"{name}.py": "",
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n",
    }
    record = "".join(f"{each},,\n" for each in [*files, f"{about}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for each, text in {**files, f"{about}/RECORD": record}.items():
            wheel.writestr(each, text)
