from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from polytab.errors import PolytabError
from polytab.translations.rules.glossary import Glossary, Term, load_glossary

if TYPE_CHECKING:
    from pathlib import Path

GLOSSARY = Glossary((Term("graph", ("图",)), Term("Graph break", ("图中断", "断图"))))


def written(folder: Path, text: str) -> Path:
    path = folder / "glossary.toml"
    path.write_bytes(text.encode())
    return path


def test_a_glossary_is_a_table_of_terms(tmp_path: Path) -> None:
    path = written(tmp_path, '[terms]\n"graph" = ["图"]\n"Graph break" = ["图中断", "断图"]')
    assert load_glossary(path) == GLOSSARY


def test_a_term_may_be_a_table_of_its_name_its_forms_and_what_else_it_is_called(
    tmp_path: Path,
) -> None:
    said = 'batch = { name = "批次", forms = ["批次", "批量"], also = ["小批"], why = "通行" }'
    [term] = load_glossary(written(tmp_path, f"[terms]\n{said}")).terms
    assert term == Term("batch", ("批次", "批量"), "批次", ("小批",))


def test_a_name_is_its_only_form_and_a_first_form_is_the_name(tmp_path: Path) -> None:
    text = '[terms]\ngraph = { name = "图" }\nkey = ["键", "钥"]'
    graph, key = load_glossary(written(tmp_path, text)).terms
    assert (graph.forms, graph.shown, key.shown) == (("图",), "图", "键")


def test_a_term_without_forms_is_named_and_not_looked_for(tmp_path: Path) -> None:
    path = written(tmp_path, '[terms]\nspeed = { name = "速度", forms = [] }')
    found = load_glossary(path)
    assert found.named("speed") == Term("speed", (), "速度")
    assert list(found.used("the speed")) == []


def test_a_language_without_a_glossary_has_no_terms(tmp_path: Path) -> None:
    assert load_glossary(tmp_path / "glossary.toml") == Glossary()
    assert list(Glossary().used("a graph")) == []


@pytest.mark.parametrize(
    ("english", "used"),
    [
        ("A graph.", ["graph"]),
        ("Graphs and GRAPHS", ["graph"]),
        ("graph breaks", ["Graph break"]),
        ("A graph, a graph break", ["graph", "Graph break"]),
        ("A subgraph, a graphics card", []),
    ],
)
def test_a_term_is_found_in_any_case_and_in_the_plural(english: str, used: list[str]) -> None:
    assert [term.english for term in GLOSSARY.used(english)] == used


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("terms", "the glossary cannot be read"),
        ("terms = " + "[" * 9000, "the glossary cannot be read"),
        ('[words]\ngraph = ["图"]', "`words` is no table"),
        ('[terms]\ngraph = "图"', "`graph` does not list its translations"),
        ("[terms]\ngraph = []", "`graph` does not list its translations"),
        ('[terms]\ngraph = [" "]', "`graph` does not list its translations"),
        ("[terms]\ngraph = [1]", "`graph` does not list its translations"),
        ("terms = 1", "`terms` is no table"),
        ('[terms]\ngraph = { also = ["图"] }', "`graph` does not list its translations"),
        ('[terms]\ngraph = { name = "图", names = [] }', "`graph` has no `names`"),
    ],
)
def test_a_wrong_glossary_is_an_error_with_its_place(
    text: str, message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(PolytabError, match=message) as caught:
        load_glossary(path)
    assert caught.value.file == path
    assert caught.value.hint


def test_a_pipe_in_its_place_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "glossary.toml"
    os.mkfifo(path)
    with pytest.raises(PolytabError, match="the glossary is no file"):
        load_glossary(path)


def test_a_glossary_that_is_not_utf_8_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "glossary.toml"
    path.write_bytes(b'[terms]\n"graph" = ["\xff"]')
    with pytest.raises(PolytabError, match="cannot be read"):
        load_glossary(path)
