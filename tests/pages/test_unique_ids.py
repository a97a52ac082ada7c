"""Ids that are new on a page come from a name, which is numbered where they are taken."""

from __future__ import annotations

from docutils import nodes
from docutils.utils import new_document

from polytab.pages.unique_ids import free_prefix, ids_in


def test_the_ids_of_a_page_are_those_of_all_its_elements() -> None:
    document = new_document("page")
    document += nodes.section("", nodes.paragraph(ids=["b", "c"]), ids=["a"])
    assert ids_in(document) == {"a", "b", "c"}


def test_a_prefix_is_the_name_where_all_its_ids_are_free() -> None:
    assert free_prefix("net", ["-torch", "-jax"], {"net", "net-tf"}) == "net"


def test_a_prefix_is_numbered_where_one_of_its_ids_is_taken() -> None:
    taken = {"net-jax", "net-2-torch"}
    assert free_prefix("net", ["-torch", "-jax"], taken) == "net-3"
    assert taken >= {"net-3-torch", "net-3-jax"}


def test_one_name_given_twice_makes_two_ids() -> None:
    taken: set[str] = set()
    assert [free_prefix("figure", [""], taken) for _ in range(3)] == [
        *("figure", "figure-2", "figure-3"),
    ]
