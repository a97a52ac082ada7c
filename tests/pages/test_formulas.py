"""A formula becomes MathML while the page is built; what cannot be read is told with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from polytab.pages.formulas import FormulaError, mathml
from tests.support.built import build
from tests.support.handbook import FILES, write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

PAGE = r"""# Tour

It takes $O(n^2)$ steps, see {eq}`cost`.

$$
c = \sum_{i=1}^{n} i
$$ (cost)

$$
a &= b \\
c &= d
$$
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_handbook(tmp_path)
    conf = FILES["conf.py"].replace('["colon_fence"]', '["colon_fence", "dollarmath"]')
    write(tmp_path, {"conf.py": conf, "docs/end.md": "# End\n", "docs/tour.md": PAGE})
    return tmp_path


def text(latex: str, *, block: bool = False) -> str:
    return BeautifulSoup(mathml(latex, block=block), "html.parser").get_text()


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{1}{n}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"),
        (r"\left\{ x \right.", "<mi>x</mi>"),
        (r"\{ x \}", '<mo stretchy="false">{</mo>'),
        (r"\begin{cases} 1 & x \\ 0 & y \end{cases}", "<mtable>"),
        (r"\begin{aligned} a &= b \end{aligned}", '<mtd columnalign="right"><mi>a</mi></mtd>'),
        (r"a \! b", '<mspace width="-0.167em" />'),
        ("a < b & c"[:5], "&lt;"),
    ],
)  # fmt: skip
def test_a_formula_is_mathml(latex: str, expected: str) -> None:
    assert expected in mathml(latex, block=True)


def test_rows_are_aligned_with_and_without_an_environment() -> None:
    rows = [
        mathml(latex, block=True).count("<mtr>")
        for latex in (
            r"a &= b \\ c &= d",
            r"\begin{align} a &= b \\ c &= d \end{align}",
            r"\begin{equation} \begin{aligned} a &= b \\ c &= d \end{aligned} \end{equation}",
        )
    ]
    assert rows == [2, 2, 2]


def test_latex_counts_no_equations_for_sphinx_does() -> None:
    assert text(r"\begin{align} a &= b \\ c &= d \end{align}", block=True) == "a=bc=d"


@pytest.mark.parametrize(
    ("latex", "complaint"),
    [
        (r"\foo x", r"the command `\foo` is not known"),
        (r"\frac{1", "a `{` is not closed"),
        ("x}", "a `}` closes nothing"),
        ("a & b", "an `&` stands outside"),
        ("a_", "missing super script or subscript"),
        (r"\left( x", "extra left or missing right"),
        (r"\begin{gather} a \end{gather}", "the environment `gather` is not known"),
        (r"\sqrt", "no available tokens"),
        ("", "no available tokens"),
        (r"a \\ b", "`linebreak` is not shown everywhere"),
        (r"\cancel{x}", "`menclose` is not shown everywhere"),
        (r"\href{javascript:alert(1)}{x}", "`href` is not"),
        (r"\style{color: red}{x}", "`style` is not"),
    ],
)
def test_what_cannot_be_shown_as_it_was_meant_is_a_fault(latex: str, complaint: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(complaint)):
        mathml(latex, block=False)


@pytest.mark.parametrize("markup", ["<b>", "<b/>", "</mtext><script>1</script><mtext>"])
def test_a_formula_brings_no_markup_of_its_own(markup: str) -> None:
    assert text("<b>", block=False) == "<b>"
    with pytest.raises(FormulaError):
        mathml(rf"\text{{{markup}}}", block=False)


def test_formulas_stand_in_the_text_and_in_blocks_of_their_own(root: Path) -> None:
    built = build(root)
    article = built.page("tour")
    assert built.warnings == ""
    assert [each["display"] for each in article.select("math")] == ["inline", "block", "block"]
    assert article.select("p > math")
    assert len(article.select(".equation > .equation-body > math")) == 2


def test_an_equation_is_numbered_and_referred_to_by_its_label(root: Path) -> None:
    article = build(root).page("tour")
    [number] = article.select(".equation .eqno")
    assert number.get_text().startswith("(1)")
    [link] = article.select("p a[href='#equation-cost']")
    assert link.get_text() == "(1)"
    assert len(article.select("#equation-cost")) == 1


def test_no_page_loads_a_script_for_formulas(root: Path) -> None:
    page = build(root).text("tour.html").lower()
    assert "<math" in page
    assert "mathjax" not in re.sub(r'class="[^"]*"', "", page)


def test_a_fault_is_told_with_its_line_and_the_formula_shown_as_written(root: Path) -> None:
    write(root, {"docs/tour.md": "# Tour\n\nThis is $\\foo$.\n\n$$\nx}\n$$\n"})
    built = build(root)
    assert {line: said.partition(";")[0] for line, said in built.complaints("tour").items()} == {
        3: r"cannot read the formula: the command `\foo` is not known",
        5: "cannot read the formula: a `}` closes nothing",
    }
    assert [each.get_text() for each in built.page("tour").select("p code, .equation pre")] == [
        r"\foo",
        "x}",
    ]


def test_a_block_is_nothing_to_translate_and_a_formula_in_the_text_stays_in_its_message(
    root: Path,
) -> None:
    catalog = build(root, "gettext").text("tour.pot")
    assert "sum" not in catalog
    assert "It takes $O(n^2)$ steps" in catalog


@pytest.mark.parametrize(
    ("builder", "file", "said"), [("text", "tour.txt", "sum"), ("epub", "tour.xhtml", "<math")]
)
def test_other_builders_take_a_page_with_formulas(
    root: Path, builder: str, file: str, said: str
) -> None:
    built = build(root, builder)
    assert "tour" not in built.warnings
    assert said in built.text(file)
