"""Warnings repeat what stands in a page: it is quoted before Sphinx prints it.

A log of Sphinx's is read on a terminal and by a forge; neither may obey a page.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from polytab.errors import one_line, visible

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SPHINX = "sphinx"
"""The logger whose handlers print all that Sphinx and its extensions say."""


class _Quote(logging.Filter):
    """Quotes warnings and errors; what Sphinx says of its own progress has its own colours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Quote the text of a record, and the place that Sphinx puts in front of it."""
        if record.levelno >= logging.WARNING:
            record.msg = visible(logging.LogRecord.getMessage(record))
            record.args = ()
            location = getattr(record, "location", None)
            if isinstance(location, str):
                record.location = one_line(location)
        return True


def setup_quoted_warnings(_: Sphinx) -> None:
    """Add the filter behind those of Sphinx, which make text of a record's place."""
    for handler in logging.getLogger(_SPHINX).handlers:
        handler.addFilter(_Quote())
