"""What there is to translate: real Sphinx on tiny pages, and the comments of their scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from polytab.errors import PolytabError
from polytab.translations.catalogs import Entry, Template
from polytab.translations.templates import extract
from tests.support.handbook import write
from tests.translations.tongues import CONF, with_pages

if TYPE_CHECKING:
    from polytab.settings import Settings

INDEX = """\
# A tiny handbook

```{toctree}
tour/first
```

Said twice.

- *One* item, in `code` and "quotes" and 100% of c:\\\\x.
- Said twice.
"""
FIRST = "# First\n\nA sentence\nin two lines.\n"
PRIVATE = "# For builders\n"

SCRIPTS = {
    "tour/torch.py": """\
# /// polytab
# timeout = 60
# ///

# %% add
# The sum of both.
x = 1 + 2  # Said by torch.

# %% twice
# The sum of both.
y = 2 * x  # noqa: E501
""",
    "tour/mxnet.py": "# %% add\n# The sum of both.\nx = 1 + 2  # Said by MXNet.\n",
    "tour/python.py": "# %% plain\nx = 1  # Said once.\n",
    "end/python.py": '# %% last\nprint("# the end")\n',
}


def test_pages_and_comments_are_extracted_in_their_order(handbook: Settings) -> None:
    pages = {"index": INDEX, "tour/first": FIRST, "private/builders": PRIVATE}
    settings = with_pages(handbook, pages)
    write(settings.snippets, SCRIPTS)
    index, first, of_end, of_tour = extract(settings)
    assert index == Template(
        "index",
        tuple(
            Entry(source, locations=("docs/index.md",))
            for source in (
                "A tiny handbook",
                "Said twice.",
                '*One* item, in `code` and "quotes" and 100% of c:\\\\x.',
            )
        ),
    )
    assert first == Template(
        "tour/first",
        (
            Entry("First", locations=("docs/tour/first.md",)),
            Entry("A sentence in two lines.", locations=("docs/tour/first.md",)),
        ),
    )
    assert of_end == Template("snippets/end", ())
    python, torch, mxnet = (f"snippets/tour/{name}.py" for name in ("python", "torch", "mxnet"))
    assert of_tour == Template(
        "snippets/tour",
        (
            Entry("Said once.", locations=(f"{python}:2",)),
            Entry("The sum of both.", locations=(f"{torch}:6", f"{mxnet}:2")),
            Entry("Said by torch.", locations=(f"{torch}:7",)),
            Entry("Said by MXNet.", locations=(f"{mxnet}:3",)),
        ),
    )


def test_blank_lines_above_a_cell_move_its_comments(handbook: Settings) -> None:
    write(handbook.snippets, {"tour/python.py": "# %% plain\n\n\nx = 1  # Said once.\n"})
    *_, of_tour = extract(with_pages(handbook, {"index": "# Index\n"}))
    assert of_tour.entries[0].locations == ("snippets/tour/python.py:4",)


def test_a_comment_that_is_the_name_of_a_framework_is_no_message(handbook: Settings) -> None:
    write(handbook.snippets, {"tour/python.py": "# %% plain\n# PyTorch\nx = 1  # Said once.\n"})
    *_, of_tour = extract(with_pages(handbook, {"index": "# Index\n"}))
    assert [each.source for each in of_tour.entries][:1] == ["Said once."]


def test_a_message_of_no_file_has_no_location(handbook: Settings) -> None:
    drawing = """
from docutils import nodes

def draw(app, doctree):
    image = nodes.image(alt="On a drawing.", uri="drawing.svg")
    image.uid = "1"
    doctree.append(image)

def setup(app):
    app.connect("doctree-read", draw)
"""
    settings = with_pages(handbook, {"index": "# Index\n"})
    write(settings.root, {"conf.py": CONF + drawing})
    assert Entry("On a drawing.") in extract(settings)[0].entries


def test_a_page_that_is_gone_leaves_no_template(handbook: Settings) -> None:
    settings = with_pages(
        handbook, {"index": "# Index\n", "more": "---\norphan: true\n---\n# More\n"}
    )
    comments = ["snippets/end", "snippets/tour"]
    assert [template.name for template in extract(settings)] == ["index", "more", *comments]
    (settings.docs / "more.md").unlink()
    assert [template.name for template in extract(settings)] == ["index", *comments]


def test_what_sphinx_complains_of_stops_the_extraction(
    handbook: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = with_pages(handbook, {"index": "# Index\n\n{ref}`nowhere`\n\n```{nonsense}\n```\n"})
    with pytest.raises(PolytabError, match="cannot extract"):
        extract(settings)
    assert "nonsense" in capfd.readouterr().err


def test_a_page_may_not_be_called_as_the_catalogs_of_comments(handbook: Settings) -> None:
    pages = {"index": "# Index\n", "snippets/tour": "---\norphan: true\n---\n# Tour\n"}
    with pytest.raises(PolytabError, match="no page may be called `snippets/tour`"):
        extract(with_pages(handbook, pages))
