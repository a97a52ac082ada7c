"""What we know of sphinx-tabs is still so: these fail where it changes what we look at."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from docutils import nodes

from polytab.pages.code.tabs import tab_of
from tests.support.built import Built, build

SITE = Path(__file__).parents[2] / "sites" / "tabs"
EXPECTED = ["None", "PyTorch", "Eager", "Compiled", "PyTorch", "JAX", "None", "PyTorch", "JAX"]


@pytest.fixture(scope="module", params=["html", "gettext", "text", "epub"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    root = shutil.copytree(SITE, tmp_path_factory.mktemp("tabs") / "site")
    return build(root, request.param)


def _places(site: Built) -> list[nodes.paragraph]:
    found = site.doctree("index").findall(nodes.paragraph)
    return [paragraph for paragraph in found if "where" in paragraph["classes"]]


def test_a_directive_knows_the_innermost_tab_around_it(site: Built) -> None:
    assert [place.astext() for place in _places(site)] == EXPECTED


def test_a_node_knows_the_innermost_tab_around_it(site: Built) -> None:
    assert [str(tab_of(place)) for place in _places(site)] == EXPECTED


def test_our_tab_sets_are_those_of_sphinx_tabs(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    root = shutil.copytree(SITE, tmp_path_factory.mktemp("tabs") / "site")
    by_hand, *_, by_us = build(root).page("index").select(".sphinx-tabs")
    names = {tab.get_text(): tab["name"] for tab in by_hand.select("[role=tab]")}
    ours = {tab.get_text(): tab["name"] for tab in by_us.select("[role=tab]")}
    assert list(ours) == ["PyTorch", "JAX"]
    assert ours.items() <= names.items(), "tabs of one name are switched together"
