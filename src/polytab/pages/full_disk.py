"""A full disk ends a build: where Sphinx would warn of a file that it cannot write, it is an error.

Guarded by tests/site/test_disk.py.
"""

from __future__ import annotations

import logging
from errno import EDQUOT, ENOSPC
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_FULL = frozenset({ENOSPC, EDQUOT})


class _FullDiskIsAnError(logging.Handler):
    """Raises what Sphinx would warn of: after one page that has no room the next has none."""

    def emit(self, record: logging.LogRecord) -> None:
        """Raise the error of a full disk that a message is about."""
        for each in record.args if isinstance(record.args, tuple) else ():
            found = full_disk(each) if isinstance(each, OSError) else None
            if found:
                raise found


def full_disk(error: BaseException | None) -> OSError | None:
    """Return the error of a full disk from which this error comes, if it does."""
    while error:
        if isinstance(error, OSError) and error.errno in _FULL:
            return error
        error = error.__cause__ or error.__context__
    return None


def setup_full_disk(_app: Sphinx) -> None:
    """Hear what Sphinx says before the handlers that print it, which were added before this one."""
    logging.getLogger("sphinx").handlers.insert(0, _FullDiskIsAnError())
