"""Whether somebody still waits for what we do: asked every now and then, by all that takes long."""

from __future__ import annotations

CANCEL_POLL_INTERVAL = 0.2
"""Seconds between two looks."""


def always() -> bool:
    """Say that it is wanted, whatever becomes of it."""
    return True
