"""A full disk ends a build: where Sphinx would warn of a file that it cannot write, it is an error.

Guarded by tests/site/test_disk.py.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from polytab.errors import full_disk

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class _FullDiskIsAnError(logging.Handler):
    """Raises what Sphinx would warn of: after one page that has no room the next has none."""

    def emit(self, record: logging.LogRecord) -> None:
        """Raise the error of a full disk that a message is about."""
        for each in record.args if isinstance(record.args, tuple) else ():
            found = full_disk(each) if isinstance(each, OSError) else None
            if found:
                raise found


def setup_full_disk(_app: Sphinx) -> None:
    """Hear what Sphinx says before the handlers that print it, which were added before this one."""
    logging.getLogger("sphinx").handlers.insert(0, _FullDiskIsAnError())
