"""Every script of the handbook chooses its device, and waits for what a GPU has queued."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from polytab.model import PLAIN
from polytab.scripts.load import load_scripts
from polytab.settings import load_settings
from tests.snippets.device_rules import findings

if TYPE_CHECKING:
    from polytab.model import Script

ROOT = Path(__file__).parents[2]
SCRIPTS = [each for each in load_scripts(load_settings(ROOT)) if each.framework != PLAIN]

CHOSEN = 'device = "cuda" if torch.cuda.is_available() else "cpu"\n'
READY = "def ready(result):\n    torch.cuda.synchronize()\n"
NETWORK = """\
class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
"""
PROCESSES = 'compare_processes("p", {"one": (work, {}), "two": (work, {"THREADS": "2"})})'
SCALE = "class Scale(nn.Module):\n    factor = 2.0\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_each_script_chooses_its_device_and_waits(script: Script) -> None:
    code = "\n".join(cell.code for cell in script.cells)
    assert findings(script.framework, code) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x = torch.ones(3)", "no device: torch.ones(3)"),
        ("x = torch.ones(3) / torch.ones(3, device=device)", "no device: torch.ones(3)"),
        ("def f(n):\n    return [torch.rand(n)]", "no device: torch.rand(n)"),
        ("x = torch.tensor([1.0]).cpu()", "no device: torch.tensor([1.0])"),
        ("net = nn.Linear(2, 2)", "no device: nn.Linear(2, 2)"),
        (f"{NETWORK}net = Network()", "no device: Network()"),
        ("file.write('import torch\\nx = torch.ones(3)\\n')", "no device: torch.ones(3)"),
        ('device = "cpu"', "another choice: 'cpu'"),
        (
            "device = torch.cuda.current_device()",
            "another choice: torch.cuda.current_device()",
        ),
    ],
)
def test_what_is_made_without_the_device_is_found(code: str, found: str) -> None:
    assert findings("torch", code) == [found]
    assert findings("jax", code) == []


@pytest.mark.parametrize(
    "code",
    [
        f"{CHOSEN}x = torch.ones(3, device=device)",
        "x = torch.ones(3).to(device)",
        "y = torch.zeros_like(x), torch.from_numpy(array)",
        'x = torch.ones(3, device="cpu")',
        "net = nn.Sequential(nn.Linear(2, 2), nn.ReLU()).to(device)",
        f"{NETWORK}net = Network().to(device)",
        f"{SCALE}scale = Scale()",
        "loss = nn.functional.mse_loss(x, y)",
    ],
)
def test_what_is_made_on_a_device_is_not(code: str) -> None:
    assert findings("torch", code) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('compare("sum", eager=lambda: f(x))', "compare('sum')"),
        ('sweep("sum", "size", SIZES, cases)', "sweep('sum')"),
        ('compare("sum", eager=lambda: f(x), wait=print)', "compare('sum')"),
        ('compare("sum", eager=lambda: f(x), wait=lambda y: None)', "compare('sum')"),
        ('def ready(y):\n    pass\ncompare("sum", a=f, wait=ready)', "compare('sum')"),
        ('compare("sum", a=lambda: f(x).item(), b=lambda: f(x))', "compare('sum')"),
        (
            f"def work():\n    return lambda: a @ a\n{PROCESSES}",
            "compare_processes('p')",
        ),
        (
            "def timed():\n    start = perf_counter()\n    f(x)\n    return perf_counter() - start",
            "def timed():",
        ),
        (
            "start = time.perf_counter()\nf(x)\ntook = time.perf_counter() - start\ny.item()",
            "start = time.perf_counter()",
        ),
        (
            "for _ in range(3):\n    start = perf_counter()\n    perf_counter()\ny.item()",
            "for _ in range(3):",
        ),
        (
            "text = 'import time\\nstart = time.perf_counter()\\nf(x)\\ntime.perf_counter()\\n'",
            "start = time.perf_counter()",
        ),
        ("def run():\n    pass\ncompare('sum', a=lambda: executor.run(x))", "compare('sum')"),
    ],
)
@pytest.mark.parametrize("framework", ["torch", "tensorflow", "mxnet", "paddle", "jax"])
def test_what_is_timed_without_waiting_is_found(framework: str, code: str, found: str) -> None:
    assert findings(framework, code) == [f"never waits: {found}"]


@pytest.mark.parametrize(
    "code",
    [
        f'{READY}compare("sum", eager=lambda: f(x), wait=ready)',
        f'{READY}sweep("sum", "size", SIZES, cases, wait=ready)',
        'compare("sum", eager=lambda: f(x), wait=jax.block_until_ready)',
        'ready = jax.block_until_ready\ncompare("sum", eager=lambda: f(x), wait=ready)',
        'compare("sum", eager=lambda: f(x), wait=lambda _: npx.waitall())',
        'compare("sum", a=lambda: f(x).item(), b=lambda: [float(y) for y in f(x)])',
        f'{READY}def whole():\n    ready(f(x))\ncompare("sum", whole=whole)',
        f"{READY}def work():\n    return lambda: ready(f(x))\n{PROCESSES}",
        f"def work():\n    return lambda: executor.run(fetch_list=y)\n{PROCESSES}",
        f"{READY}def timed(run):\n    perf_counter()\n    ready(run())\n    perf_counter()",
        "start = time.perf_counter()\nf(x).numpy()\nprint(time.perf_counter() - start)",
        'def again(n):\n    return again(n - 1)\ncompare("sum", a=lambda: again(3).item())',
    ],
)
def test_what_waits_is_not(code: str) -> None:
    assert findings("torch", code) == []
