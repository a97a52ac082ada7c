"""`{exercise}` and `{solution} name`: a task for the reader, and what solves it, folded away.

Exercises are numbered on their page. A solution names its exercise by the `:name:` of that one, and
holds what any text holds: its code is a `{snippet}`, run and recorded like all code.

Law, guarded by tests/pages/forms/test_exercise.py: a solution has an exercise before it on its
page, and an exercise at most one solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from polytab.errors import PolytabError
from polytab.interface.messages import translate as _
from polytab.pages.forms.fold import close_fold, fold, open_fold
from polytab.pages.forms.title import author_title, own_title, parse_content, set_id
from polytab.pages.inputs import inputs_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import OptionSpec
    from sphinx.writers.html5 import HTML5Translator

_log = logging.getLogger(__name__)
_UNSOLVED = "polytab-unsolved"
"""Key of these in the data of a page that is being read."""


class exercise(nodes.container):  # noqa: N801  # docutils names nodes in lower case
    """A task, below its number and title."""


class solution(fold):  # noqa: N801
    """What solves an exercise."""


class ExerciseDirective(SphinxDirective):
    """`{exercise} title`, where the title may be left out; `:name:` is what its solution says."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[OptionSpec] = {"name": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return the exercise under its number."""
        self.assert_has_content()
        number = self.env.new_serialno("exercise") + 1
        called = _("Exercise {number}").format(number=number)
        colon = inputs_of(self.env).formats(self.env).colon
        if self.arguments:
            node = exercise("", author_title(self, "p", prefix=f"{called}{colon}"))
        else:
            node = exercise("", own_title(called, "p"))
        if "name" in self.options:
            _unsolved(self)[self.options["name"]] = number
        set_id(self, node, "exercise", str(number))
        parse_content(self, node)
        return [node]


class SolutionDirective(SphinxDirective):
    """`{solution} name`, below the exercise of that name."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the solution; one of no exercise is a warning."""
        self.assert_has_content()
        unsolved = _unsolved(self)
        number = unsolved.pop(self.arguments[0], None)
        if number is None:
            known = ", ".join(unsolved) or "none"
            error = PolytabError(
                f"no exercise `{self.arguments[0]}` without a solution stands above",
                hint=f"give the exercise `:name: {self.arguments[0]}`; known here: {known}",
            )
            _log.warning(
                str(error), location=self.get_location(), type="polytab", subtype="solution"
            )
            return []
        called = _("Solution of exercise {number}").format(number=number)
        node = solution("", own_title(called, "summary"))
        set_id(self, node, "solution", str(number))
        parse_content(self, node)
        return [node]


def _unsolved(directive: SphinxDirective) -> dict[str, int]:
    """Return the exercises without a solution of the page being read: their numbers by name."""
    data = directive.env.temp_data
    if _UNSOLVED not in data:
        data[_UNSOLVED] = {}
    unsolved: dict[str, int] = data[_UNSOLVED]
    return unsolved


def _open_exercise(translator: HTML5Translator, node: exercise) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="exercise"))


def _close_exercise(translator: HTML5Translator, _node: exercise) -> None:
    translator.body.append("</div>\n")


def setup_exercise(app: Sphinx) -> None:
    """Add the directives with their nodes and style; the script is that of folds."""
    app.add_node(exercise, html=(_open_exercise, _close_exercise))
    app.add_node(solution, html=(open_fold, close_fold))
    app.add_directive("exercise", ExerciseDirective)
    app.add_directive("solution", SolutionDirective)
    app.add_css_file("exercise.css")
