"""Figures have the numbers that Sphinx gives them, from outlines in place of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.util.docutils import docutils_namespace

from tests.support.handbook import FILES, write

if TYPE_CHECKING:
    from pathlib import Path

NAMED = "![A dot](dot.svg)\n"
FIGURE = """\
:::{{figure}} dot.svg
:name: {name}
:alt: A dot

Dot *{name}*.
:::
"""
TABLE = """\
:::{table} Numbers
:name: numbers

| a | b |
|---|---|
| 1 | 2 |
:::
"""
CODE = """\
```{code-block} python
:caption: Some code
:name: some-code

1
```
"""
TREE = "```{{toctree}}\n{options}\n{pages}\n```\n"
PAGES = {
    "pyproject.toml": FILES["pyproject.toml"],
    "conf.py": 'extensions = ["polytab.pages"]\nhtml_theme = "polytab"\nnumfig = True\n'
    'myst_enable_extensions = ["colon_fence"]\n',
    "docs/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>\n',
    "docs/index.md": f"# Top\n\n{FIGURE.format(name='top')}\n\n{{numref}}`one`\n\n"
    + TREE.format(options=":numbered:\n", pages="second\nfirst"),
    "docs/first.md": f"# First\n\n## Part\n\n{FIGURE.format(name='one')}\n\n{TABLE}\n\n{CODE}",
    "docs/second.md": f"# Second\n\n{FIGURE.format(name='two')}\n\n## More\n\n"
    + FIGURE.format(name="three")
    + "\n"
    + TREE.format(options="", pages="deep"),
    "docs/deep.md": f"# Deep\n\n{NAMED}\n\n> {FIGURE.format(name='four')}",
}
EDITS = (
    {"docs/second.md": f"# Second\n\n{FIGURE.format(name='two')}\n"},
    {"docs/index.md": "# Top\n\n" + TREE.format(options="", pages="first\nsecond\ndeep")},
    {"docs/first.md": "# First\n\nNothing.\n"},
)


def _numbers(root: Path, config: dict[str, object]) -> tuple[object, object]:
    """Build; return the numbers that we have given, and those that Sphinx gives."""
    with docutils_namespace():
        folders = (root / "docs", root, root / "html", root / "doctrees")
        app = Sphinx(*folders, "html", confoverrides=config, status=None, warning=None)
        app.build()
        ours = app.env.toc_fignumbers
        TocTreeCollector().assign_figure_numbers(app.env)
        return ours, app.env.toc_fignumbers


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_numbers_are_those_of_sphinx_after_each_edit(tmp_path: Path, depth: int) -> None:
    config: dict[str, object] = {"numfig_secnum_depth": depth}
    write(tmp_path, PAGES)
    ours, theirs = _numbers(tmp_path, config)
    assert ours == theirs
    assert {"figure", "table", "code-block"} <= set(ours["first"])  # type: ignore[index]
    for edit in EDITS:
        write(tmp_path, edit)
        ours, theirs = _numbers(tmp_path, config)
        assert ours == theirs


def test_no_document_of_another_page_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, PAGES)
    _numbers(tmp_path, {})
    asked: list[str] = []
    usual = BuildEnvironment.get_doctree

    def get_doctree(env: BuildEnvironment, page: str) -> object:
        asked.append(page)
        return usual(env, page)

    monkeypatch.setattr(BuildEnvironment, "get_doctree", get_doctree)
    with docutils_namespace():
        folders = (tmp_path / "docs", tmp_path, tmp_path / "html", tmp_path / "doctrees")
        Sphinx(*folders, "html", status=None, warning=None).build()
    assert set(asked) <= {"index"}  # whose list is numbered
