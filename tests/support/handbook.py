"""A tiny real handbook: settings, two pages, three frameworks, no framework's package."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from polytab.model import CPU, CUDA, Accelerator, Provenance, RecordedCell, Recording
from polytab.recordings.files import save_recording
from polytab.recordings.plan import find_recording
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from polytab.model import Job
    from polytab.settings import Settings

NO_CUDA = "MXNet has gone."
GPU = Accelerator("NVIDIA H100", 1, "580.1", "13.0", (("nvidia-cudnn-cu13", "9.20"),))
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"

FILES = {
    "pyproject.toml": """\
[tool.polytab]
title = "A Tiny Handbook"
docs = "docs"
snippets = "snippets"
environments = "environments"
recordings = "recordings"
translations = "translations"
build = "_build"
confine = "off"

[tool.polytab.frameworks]
python = { title = "Python" }
torch = { title = "PyTorch", package = "ipykernel" }
mxnet = { title = "MXNet", package = "ipykernel" }

[tool.polytab.languages]
en = { name = "English", locale = "en", tag = "en" }
""",
    "conf.py": """\
project = "A Tiny Handbook"
extensions = ["polytab.pages"]
root_doc = "index"
myst_enable_extensions = ["colon_fence"]
html_theme = "polytab"
""",
    "docs/index.md": "# A Tiny Handbook\n\n```{toctree}\ntour\nend\n```\n",
    "docs/tour.md": "# Tour\n\n:::{snippet} plain\n:::\n\n:::{snippet} add\n:::\n",
    "docs/end.md": "# End\n\n:::{snippet} last\n:::\n",
    "snippets/tour/python.py": '# %% plain\nprint("plain")  # said once\n',
    "snippets/tour/torch.py": """\
# %% add
x = 1 + 2
print("torch", x)

# %% twice
print(2 * x)
""",
    "snippets/tour/mxnet.py": '# %% add\nx = 1 + 2\nprint("mxnet", x)\n',
    "snippets/end/python.py": '# %% last\nprint("the end")\n',
    "environments/python.txt": f"# python: {PYTHON}\nipykernel==7.4.0\n",
    "environments/torch.txt": f"# python: {PYTHON}\nipykernel==7.4.0\n",
    "environments/mxnet.txt": f"# python: {PYTHON}\nipykernel==7.4.0\n",
}


def write(root: Path, files: Mapping[str, str]) -> None:
    """Write files of these names and texts below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def write_handbook(root: Path) -> Settings:
    """Write the tiny handbook into a folder and return its settings."""
    write(root, FILES)
    return load_settings(root)


def job(settings: Settings, page: str = "tour", framework: str = "torch", device: str = CPU) -> Job:
    """Return the job of one script as it stands now."""
    [script] = load_scripts(settings, [page], [framework])
    return find_recording(settings, script, device).job


def with_cuda(settings: Settings) -> Settings:
    """Give a tiny handbook CUDA: pins for torch, and a reason why MXNet has none."""
    pinned = (settings.environments / "torch.txt").read_text(encoding="utf-8")
    write(settings.environments, {"torch.cuda.txt": pinned})
    file = settings.root / "pyproject.toml"
    text = re.sub(r'(mxnet = {[^}]*") }', rf'\1, no_cuda = "{NO_CUDA}" }}', file.read_text("utf-8"))
    if NO_CUDA not in file.read_text("utf-8"):
        write(settings.root, {"pyproject.toml": text})
    return load_settings(settings.root)


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    """Return a stream output as the notebook format spells it."""
    return {"output_type": "stream", "name": name, "text": text}


def recording(
    of: Job, outputs: Mapping[str, Sequence[Mapping[str, Any]]] | None = None
) -> Recording:
    """Return a fresh recording of a job that nothing ran; a cell prints its label or `outputs`."""
    said = {cell.label: [stream(f"{cell.label}\n")] for cell in of.script.cells}
    shown = {**said, **(outputs or {})}
    cells = tuple(
        RecordedCell(cell.label, cell.code, tuple(shown[cell.label]), cell.varies)
        for cell in of.script.cells
    )
    made = Provenance(
        python=f"{PYTHON}.0",
        package="ipykernel",
        version="7.4.0",
        hardware="A Processor",
        cores=2,
        system="Linux x86_64",
        date="2026-01-02",
        seconds=1.5,
        accelerator=GPU if of.environment.device == CUDA else None,
    )
    device = of.environment.device
    return Recording(of.script.page, of.script.framework, device, of.key, made, cells)


def record(settings: Settings, *, overlay: bool = False) -> None:
    """Save a fresh recording of every script, as if all of them had been run."""
    folder = settings.overlay if overlay else settings.recordings
    for script in load_scripts(settings):
        save_recording(folder, recording(find_recording(settings, script).job))
