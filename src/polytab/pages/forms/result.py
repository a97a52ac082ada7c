"""`{result} question`: a measurement of another page, as an invitation to read that page.

    :::::{result} Does compiling pay?
    :page: compilers
    :framework: torch

It holds a `{benchmark}` and what is to be said of it: verdicts and numbers in it are of that page,
and of that framework where one is named.

Law, guarded by tests/pages/forms/test_result.py: a result without a page or a chart is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.pages.forms.title import author_title, parse_content
from polytab.pages.inputs import inputs_of
from polytab.pages.numbers.benchmark import benchmark
from polytab.pages.numbers.elsewhere import measured_elsewhere

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

_log = logging.getLogger(__name__)


class result(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """A question, the chart that answers it, and what is said of it."""


class ResultDirective(SphinxDirective):
    """`{result} question`, with the `:page:` that measures it and the `:framework:` to show."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {
        "page": directives.unchanged_required,
        "framework": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Return the result; what it lacks is a warning at the directive."""
        self.assert_has_content()
        try:
            return [self._result()]
        except PolytabError as error:
            _log.warning(str(error), location=self.get_location(), type="polytab", subtype="result")
            return []

    def _result(self) -> result:
        if "page" not in self.options:
            raise PolytabError("a result names its page", hint="write `:page: compilers`")
        name = self.options.get("framework")
        framework = inputs_of(self.env).settings.framework(name) if name else None
        node = result("", author_title(self, "p"))
        with measured_elsewhere(self, node, self.options["page"], framework):
            parse_content(self, node)
        if next(node.findall(benchmark), None) is None:
            raise PolytabError("a result shows a chart", hint="put a `{benchmark}` into it")
        return node


def _open_div(translator: HTML5Translator, node: result) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="result"))


def _close_div(translator: HTML5Translator, _node: result) -> None:
    translator.body.append("</div>\n")


def setup_result(app: Sphinx) -> None:
    """Add the directive with its node and style."""
    app.add_node(result, html=(_open_div, _close_div))
    app.add_directive("result", ResultDirective)
    app.add_css_file("result.css")
