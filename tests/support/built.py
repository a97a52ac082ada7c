"""A handbook built by a real Sphinx: its pages, what it complained of, and what it read."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx
from sphinx.locale import translators
from sphinx.util.docutils import docutils_namespace, patch_docutils

if TYPE_CHECKING:
    from pathlib import Path

    from docutils import nodes


@dataclass(frozen=True)
class Built:
    """What one build made; `read` holds the pages that were read, in order."""

    app: Sphinx
    warnings: str
    read: tuple[str, ...]

    def text(self, name: str) -> str:
        """Return a file that was made."""
        return (self.app.outdir / name).read_text(encoding="utf-8")

    def complaints(self, page: str) -> dict[int, str]:
        """Return what we said of each line of a page."""
        pattern = rf"docs/{page}\.md:(\d+): WARNING: (.*?) \[polytab\.\w+\]"
        found = re.finditer(pattern, self.warnings, re.DOTALL)
        return {int(match[1]): match[2] for match in found}

    def page(self, name: str) -> Tag:
        """Return the article of a page as a browser would see it."""
        article = BeautifulSoup(self.text(f"{name}.html"), "html.parser").find("article")
        assert isinstance(article, Tag)
        return article

    def doctree(self, name: str) -> nodes.document:
        """Return a page as Sphinx has read it."""
        return self.app.env.get_doctree(name)


def build(root: Path, builder: str = "html", *, jobs: int = 1, **settings: object) -> Built:
    """Build the site of a folder; what it complains of is kept, not raised."""
    read: list[str] = []
    warnings = io.StringIO()
    translators.clear()  # Sphinx keeps those of the last language for the whole process
    with docutils_namespace(), patch_docutils(str(root)):
        app = Sphinx(
            srcdir=root / "docs",
            confdir=root,
            outdir=root / "_build" / builder,
            doctreedir=root / "_build" / "doctrees" / builder,
            buildername=builder,
            confoverrides=settings,
            status=None,
            warning=warnings,
            parallel=jobs,
        )
        app.connect("source-read", lambda _, docname, __: read.append(docname))
        app.build()
    return Built(app, warnings.getvalue(), tuple(read))
