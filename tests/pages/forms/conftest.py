"""The page of all forms, built once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.forms_site import write_forms

if TYPE_CHECKING:
    from tests.support.built import Built


@pytest.fixture(scope="package")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return write_forms(tmp_path_factory.mktemp("forms")).build()
