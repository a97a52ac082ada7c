"""One entry of a catalog, as the lint and the compiler see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Message:
    """An English text, its translation, and the place where a translator can mend it."""

    source: str
    translation: str
    file: Path
    line: int
    locale: str
    previous: str | None = None
    outdated: bool = False

    @property
    def english(self) -> str:
        """The English that was translated: an outdated message knows the one before.

        `previous` stands in the catalog, so a stranger chose it. What passes against it may still
        not be given to Sphinx: see `Checked.passed` in `lint`.
        """
        return self.previous if self.outdated and self.previous is not None else self.source
