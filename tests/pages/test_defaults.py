"""Given a conf.py that says little, then the engine says the rest; and it refuses another theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sphinx.errors import ConfigError

from polytab.settings import load_settings
from polytab.translations.rules.structure import EXTENSIONS
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

THEME = 'html_theme = "polytab"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_handbook(tmp_path)
    assert THEME in FILES["conf.py"]
    return tmp_path


@pytest.mark.parametrize("other", ["furo", "alabaster", "basic"])
def test_another_theme_is_one_error_that_says_what_to_write(root: Path, other: str) -> None:
    write(root, {"conf.py": FILES["conf.py"].replace(THEME, f'html_theme = "{other}"\n')})
    with pytest.raises(ConfigError, match=f'is "{other}".*write html_theme = "polytab"'):
        build(root)


def test_a_book_that_names_no_theme_has_ours(root: Path) -> None:
    write(root, {"conf.py": FILES["conf.py"].replace(THEME, "")})
    built = build(root)
    assert built.warnings == ""
    assert "skip-to-content" in built.text("tour.html")


def test_no_source_is_copied_and_no_index_is_made_unless_a_book_says_so(root: Path) -> None:
    built = build(root)
    assert list(built.app.outdir.glob("_sources/*")) == []
    assert not (built.app.outdir / "genindex.html").exists()
    more = "html_copy_source = True\nhtml_use_index = True\n"
    write(root, {"conf.py": FILES["conf.py"] + more})
    again = build(root)
    assert (again.app.outdir / "_sources" / "tour.md.txt").is_file()
    assert (again.app.outdir / "genindex.html").is_file()


def test_pages_are_read_as_the_lint_reads_translations_whatever_conf_py_leaves_out(
    root: Path,
) -> None:
    write(root, {"conf.py": 'extensions = ["polytab"]\n'})
    built = build(root)
    assert set(built.app.config.myst_enable_extensions) == EXTENSIONS
    assert built.app.config.project == load_settings(root).title
    assert "A Tiny Handbook" in built.text("tour.html")


def test_markdown_that_the_lint_does_not_know_is_one_error(root: Path) -> None:
    more = 'myst_enable_extensions = ["colon_fence", "html_image"]\n'
    write(root, {"conf.py": 'extensions = ["polytab"]\n' + more})
    with pytest.raises(ConfigError, match="names html_image, which the lint does not know"):
        build(root)
