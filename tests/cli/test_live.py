"""`polytab live` ends as its server ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.handbook import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from polytab.settings import Settings
    from tests.cli.said import Said


def test_a_server_that_cannot_start_is_a_failure(
    handbook: Settings, polytab: Callable[..., Said]
) -> None:
    write(handbook.build, {"live": "where its pages would be written, there is a file\n"})
    said = polytab("live")
    assert said.code == 1
    assert "live" in said.err
