"""Every run of a kernel in these tests is watched for what it leaves behind."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.traces import eventually, processes

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def scratches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give runs a temporary folder of their own: short, because the paths of sockets are."""
    tmp_path_factory.getbasetemp()  # settled before the folder changes
    with pytest.MonkeyPatch.context() as patch:
        folder = Path(tempfile.mkdtemp(prefix="pt-"))
        patch.setattr(tempfile, "tempdir", str(folder))
        yield folder
    shutil.rmtree(folder)


@pytest.fixture
def watched(scratches: Path) -> Iterator[Path]:
    """Check that what a test ran has left no file and no process."""
    yield scratches
    assert list(scratches.iterdir()) == []
    assert eventually(lambda: processes(scratches) == [])
