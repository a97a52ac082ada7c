"""Given a page with framework tabs, when it is written as HTML, then ids and labels are good."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from polytab.interface.messages import messages_of
from polytab.pages.code import chooser as module
from polytab.pages.code.chooser import _free_panel_ids
from polytab.settings import load_settings
from tests.support.built import build
from tests.support.handbook import record

# MyST-Parser 5.2 asks Sphinx 9 for things that Sphinx 11 will not have.
pytestmark = pytest.mark.filterwarnings("ignore:'myst_parser:PendingDeprecationWarning")

SITE = Path(__file__).parents[2] / "sites" / "reader"
FOLDER = Path(module.__file__).parent


def copied(folder: Path) -> Path:
    """Copy the handbook into a folder, with something recorded for each script."""
    copy = Path(shutil.copytree(SITE, folder / "reader"))
    record(load_settings(copy))
    return copy


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Copy the handbook, for a test that changes it."""
    return copied(tmp_path)


def complaints(root: Path, builder: str = "html", language: str = "en") -> str:
    """Build the handbook with a real Sphinx; return what it complained of."""
    return build(root, builder, language=language).warnings


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the handbook and build it once, without complaint, for all that only read it."""
    root = copied(tmp_path_factory.mktemp("written"))
    assert complaints(root) == ""
    return root


@pytest.fixture
def tour(written: Path) -> BeautifulSoup:
    """Return the page with tabs."""
    return page(written, "tour")


def page(root: Path, name: str) -> BeautifulSoup:
    """Return a page as it was written."""
    text = (root / "_build" / "html" / f"{name}.html").read_text("utf-8")
    return BeautifulSoup(text, "html.parser")


def ids(found: list[Tag]) -> list[str]:
    return [str(each["id"]) for each in found]


def test_ids_say_which_snippet_and_which_framework(tour: BeautifulSoup) -> None:
    assert ids(tour.select(".sphinx-tabs-panel")) == [
        *("add-torch", "add-mxnet", "add-tensorflow", "add-paddle", "add-jax"),
        *("twice-mxnet", "twice-jax"),
        *("say-torch", "say-jax"),
    ]


def test_tabs_and_panels_stand_in_one_order_and_a_script_joins_them(tour: BeautifulSoup) -> None:
    for block in tour.select(".sphinx-tabs"):
        tabs, panels = block.select("[role=tab]"), block.select("[role=tabpanel]")
        for tab, panel in zip(tabs, panels, strict=True):
            assert tab["data-tab"] == str(panel["id"]).rpartition("-")[2]
            assert {"id", "aria-controls", "aria-selected"}.isdisjoint(tab.attrs)
            assert "aria-labelledby" not in panel.attrs


def loaded(root: Path, soup: BeautifulSoup, selector: str, attribute: str) -> str:
    """Return the one file of a kind that a page loads."""
    [element] = soup.select(selector)
    return (root / "_build" / "html" / str(element[attribute])).read_text("utf-8")


def stylesheet(root: Path, soup: BeautifulSoup) -> str:
    return loaded(root, soup, "link[rel=stylesheet]", "href")


def early_script(root: Path, soup: BeautifulSoup) -> str:
    """Return the script that runs before anything is painted."""
    return loaded(root, soup, "head script[src]:not([defer])", "src")


def test_no_id_stands_twice_on_a_page(root: Path) -> None:
    clash = "\n(add-2-jax)=\n\n## Add torch\n\n## Add mxnet\n\n:::{snippet} add\n:::\n"
    with (root / "docs" / "tour.md").open("a") as file:
        file.write(clash)
    complaints(root)
    found = Counter(ids(page(root, "tour").select("[id]")))
    assert [each for each, times in found.items() if times > 1] == []
    assert found["add-3-torch"] == 1


def test_a_block_without_a_snippet_is_named_after_its_section(root: Path) -> None:
    text = "# Plain\n\n## By hand\n\n::::{tabs}\n:::{group-tab} JAX\nWords.\n:::\n::::\n"
    (root / "docs" / "plain.md").write_text(text)
    assert complaints(root) == ""
    assert ids(page(root, "plain").select(".sphinx-tabs-panel")) == ["by-hand-jax"]


def test_html_is_valid_where_sphinx_tabs_is_not(tour: BeautifulSoup) -> None:
    assert tour.select("article :is(button, div)[name]") == []
    assert tour.select("article button:not([type=button])") == []


def test_nothing_is_hidden_before_the_script_comes(tour: BeautifulSoup) -> None:
    hidden = {str(each["class"]) for each in tour.select("article [hidden]")}
    assert hidden == {
        "['tab-absence']",
        "['downloads-row']",
    }  # both say what only a script can know
    titles = [panel.p.get_text() for panel in tour.select(".sphinx-tabs-panel") if panel.p]
    assert titles == [each.get_text() for each in tour.select("[role=tab]")]


def test_the_chooser_offers_what_the_page_has_in_the_order_of_the_settings(
    written: Path, tour: BeautifulSoup
) -> None:
    def offered(soup: BeautifulSoup) -> list[str]:
        return [str(each["value"]) for each in soup.select(".chooser input")]

    assert offered(tour) == ["torch", "mxnet", "tensorflow", "paddle", "jax"]
    assert offered(page(written, "end")) == ["torch", "jax"]
    [chooser] = tour.select("h1 + .chooser")
    assert '"python": "Python"' in str(chooser["data-frameworks"])


def test_our_script_is_in_the_head_of_pages_with_tabs_alone(
    written: Path, tour: BeautifulSoup
) -> None:
    ours = "polytab:framework"  # where tabs.js keeps the choice
    assert ours in (FOLDER / "static" / "tabs.js").read_text("utf-8")
    assert ours in early_script(written, tour)
    assert ".sphinx-tabs-tab" in stylesheet(written, tour)
    plain = page(written, "plain")
    assert ours not in early_script(written, plain)
    assert ".sphinx-tabs-tab" not in stylesheet(written, plain)
    assert plain.select(".chooser") == []


def test_a_tab_that_is_no_framework_is_a_complaint(root: Path) -> None:
    text = "# Plain\n\n::::{tabs}\n:::{group-tab} Torch\nWords.\n:::\n::::\n"
    (root / "docs" / "plain.md").write_text(text)
    said = complaints(root)
    assert "plain.md" in said
    assert "the tab `Torch` is no framework; known: Python, PyTorch, MXNet, " in said


def test_a_tab_inside_something_else_is_a_complaint(root: Path) -> None:
    tabs = "::::{tabs}\n:==::{group-tab} PyTorch\nx\n:::\n:::{group-tab} MXNet\ny\n:::\n::::\n"
    text = f"# Plain\n\n{tabs}"  # a slip of the hand: what ends the first tab begins a block
    (root / "docs" / "plain.md").write_text(text)
    said = complaints(root)
    assert re.search(r"plain\.md:\d+: WARNING: of 1 tabs 1 stand inside something else", said)


def test_labels_are_in_the_language_of_the_page(root: Path) -> None:
    assert complaints(root, language="zh_CN") == ""
    said = messages_of("zh_CN").gettext
    lacks, framework = said("{chosen} has nothing here; {shown} is shown."), said("Framework")
    assert "{chosen} has" not in lacks
    assert framework != "Framework"
    tour = page(root, "tour")
    assert {each["aria-label"] for each in tour.select("[role=tablist]")} == {framework}
    assert [each.get_text() for each in tour.select("#chooser-label")] == [framework]
    assert [each["data-lacks-block"] for each in tour.select(".chooser")] == [lacks]
    contents = [each["aria-label"] for each in tour.select("aside.toc-drawer")]
    assert contents == [said("On this page")]


def test_every_landmark_of_a_kind_has_a_name_of_its_own(tour: BeautifulSoup) -> None:
    names = [each.get("aria-label") for each in tour.select("aside")]
    assert names == ["All pages", "On this page"]


def test_no_stylesheet_is_loaded_that_styles_nothing(written: Path, tour: BeautifulSoup) -> None:
    assert tour.select("link[href*=mystnb]") == []
    assert ".cell_output" not in stylesheet(written, tour)


def test_what_translators_are_given_has_no_chooser(root: Path) -> None:
    assert complaints(root, "gettext") == ""
    given = (root / "_build" / "gettext" / "tour.pot").read_text("utf-8")
    assert "JAX speaks of tracing." in given
    assert "Framework" not in given


def test_free_panel_ids_count_on_where_one_of_them_is_taken() -> None:
    taken = {"net-jax", "net-2-torch-tab"}
    assert _free_panel_ids("net", ["torch", "jax"], taken) == ["net-3-torch", "net-3-jax"]
    assert taken >= {"net-3-torch", "net-3-jax", "net-3-torch-tab", "net-3-jax-tab"}
