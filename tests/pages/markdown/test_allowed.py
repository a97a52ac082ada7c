"""What a page may use is a list; the rest is refused wherever it stands, by Sphinx and `check`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from docutils import nodes
from docutils.parsers.rst import directives, roles
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from polytab.pages.markdown.allowed import DIRECTIVES, ROLES, find_refused
from polytab.pages.markdown.walk import DEEPEST
from tests.support.built import build
from tests.support.handbook import write, write_handbook

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings
    from tests.support.built import Built

CONTENTS = "the contents of a file"


def _nested(depth: int) -> str:
    """Put words into notes that stand in each other."""
    text = "words"
    for ticks in range(3, 3 + depth):
        text = f"{'`' * ticks}{{note}}\n{text}\n{'`' * ticks}"
    return text


HOSTILE = {
    "include": ("```{include} ../secret.txt\n```", "directive"),
    "literalinclude": ("```{literalinclude} ../secret.txt\n```", "directive"),
    "csv": ("```{csv-table}\n:file: ../secret.txt\n```", "directive"),
    "raw": ("```{raw} html\n<script>ran()</script>\n```", "directive"),
    "raw-file": ("```{raw} html\n:file: ../secret.txt\n```", "directive"),
    "rst": ("```{eval-rst}\n.. raw:: html\n\n   <script>ran()</script>\n```", "directive"),
    "cell": ("```{code-cell}\nopen('ran.txt', 'w')\n```", "directive"),
    "a-role": ("```{role} html(raw)\n:format: html\n```", "directive"),
    "only": ("```{only} html\nwords\n```", "directive"),
    "of-a-domain": ("```{py:function} f()\n```", "directive"),
    "in-portuguese": ("```{incluir} ../secret.txt\n```", "directive"),
    "in-capitals": ("```{INCLUDE} ../secret.txt\n```", "directive"),
    "in-a-title": (":::{note} {eval}`x`\n:::", "role"),
    "in-a-block": (":::aside\n{eval}`x`\n:::", "role"),
    "unknown": ("```{nonsense}\n```", "directive"),
    "role": ("{raw}`<script>ran()</script>`", "role"),
    "evaluated": ("{eval}`__import__('os').system('echo > ran.txt')`", "role"),
    "html": ("<script>ran()</script>", "html"),
    "inline-html": ("Words <img src=x onerror=ran()> words.", "html"),
    "template": ("{{ cycler.__init__.__globals__.os.system('echo > ran.txt') }}", "substitution"),
    "inline-template": ("Words {{ env.app }} words.", "substitution"),
    "script-link": ("```{figure} dot.png\n:target: javascript:ran()\n```", "outside"),
    "file-link": ("```{figure} dot.png\n:target: ../../secret.txt\n```", "outside"),
    "long-link": (f"[words]({'a' * 300})", "outside"),
    "long-picture": (f"![words]({'a/' * 600}a.png)", "outside"),
    "nested": (_nested(DEEPEST + 1), "nesting"),
    "nested-without-end": (_nested(200), "nesting"),
    "null-link": ("[words](a%00b)", "outside"),
    "null-picture": ("![words](a%00b.png)", "outside"),
    "picture": ("![words](../secret.png)", "outside"),
    "absolute-picture": ("![words](/../secret.png)", "outside"),
    "far-picture": ("```{image} https://example.org/x.png\n```", "outside"),
    "data-picture": ("![words](data:image/png;base64,iVBORw0KGgo=)", "outside"),
    "linked-picture": ("![words](linked.png)", "outside"),
    "download": ("{download}`words <../secret.txt>`", "outside"),
    "linked-folder": ("{download}`words <linked/secret.txt>`", "outside"),
    "link-to-a-file": ("[words](../secret.txt)", "outside"),
    "link-in-a-formula": ("{math}`\\href{javascript:ran()}{x}`", "outside"),
    "link-in-a-block": ("```{math}\n\\href{javascript:ran()}{x}\n```", "outside"),
    "toctree": ("```{toctree}\nwords <javascript://x/%0aran()>\n```", "outside"),
}
"""Markdown no page may hold, and the rule that says so."""

PLACES = {
    "alone": "{}",
    "in a panel": "::::::{{tabs}}\n:::::{{group-tab}} PyTorch\n{}\n:::::\n::::::",
    "in a note in a list": "- words\n\n  ::::{{note}}\n  {}\n  ::::",
    "in a cell of a table": "::::{{list-table}}\n* - {}\n::::",
    "in a footnote": "Words [^a].\n\n[^a]: {}",
}
ALLOWED = """\
---
orphan: true
---
# Allowed

:::{note}
Words, $x$, {math}`x`, [a link](https://example.org), {ref}`there <there>`, {abbr}`GPU (words)`.
:::

````````{note}
```````{note}
``````{note}
`````{note}
As deep as a page needs.
`````
``````
```````
````````

(there)=
## There

```{math}
x^2
```

![words](dot.png) and {download}`a file <dot.png>`.
"""


def _indented(text: str, place: str) -> str:
    """Put a text into a place with every line of it as far in as the first."""
    before = place.partition("{}")[0].rpartition("\n")[2].replace("{{", "{")
    indent = " " * len(before) if "note" in place or "list-table" in place else "    "
    if before == "":
        indent = ""
    return place.format(text.replace("\n", f"\n{indent}"))


def _files(settings: Settings) -> None:
    """Lay out a secret beside the pages, a picture among them, and links that lead out."""
    (settings.root / "secret.txt").write_text(CONTENTS)
    (settings.root / "secret.png").write_text(CONTENTS)
    (settings.docs / "dot.png").write_bytes(b"\x89PNG")
    (settings.docs / "linked.png").symlink_to(settings.root / "secret.png")
    (settings.docs / "linked").symlink_to(settings.root)


def _page(name: str, place: str) -> str:
    return f"---\norphan: true\n---\n# {name}\n\n{_indented(HOSTILE[name][0], place)}\n"


@pytest.fixture(scope="module", params=PLACES)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    settings = write_handbook(tmp_path_factory.mktemp("hostile"))
    conf = settings.root / "conf.py"
    extensions = '["colon_fence", "substitution", "attrs_inline", "dollarmath"]'
    conf.write_text(conf.read_text().replace('["colon_fence"]', extensions))
    _files(settings)
    pages = {f"docs/{name}.md": _page(name, PLACES[request.param]) for name in HOSTILE}
    write(settings.root, pages)
    return build(settings.root)


def test_sphinx_refuses_it_wherever_it_stands(built: Built) -> None:
    said = re.findall(
        r"docs/([\w-]+)\.md(?::\d+)?: WARNING: .*\[polytab\.([\w-]+)\]", built.warnings
    )
    for name, (_, rule) in HOSTILE.items():
        if name == "link-to-a-file" and (name, rule) not in said:
            assert f"{name}.md" in built.warnings  # MyST itself finds no such page
            continue
        assert (name, rule) in said, built.warnings


def test_nothing_of_it_is_left(built: Built) -> None:
    root = built.app.confdir
    assert not (root / "ran.txt").exists()
    assert not (root / "docs" / "ran.txt").exists()
    for path in built.app.outdir.rglob("*"):
        if path.is_file() and path.suffix not in {".inv", ".js", ".css"}:
            assert CONTENTS.encode() not in path.read_bytes(), path
    for name in HOSTILE:
        page = built.page(name)
        assert page.select("script, [onerror]") == [], name
        assert [each for each in page.select("[href], [src]") if "ran()" in str(each)] == [], name
        raw = list(built.doctree(name).findall(nodes.raw))
        assert raw == [], name


def _is_for_others(name: str, rule: str) -> bool:
    """Tell what the lint of the text finds (tests/translations/rules/test_lint.py), or Sphinx.

    A symbolic link is for Sphinx, and for `changes`, which calls it code.
    """
    if name in {"script-link", "file-link", "null-link"}:
        return False
    return rule in {"html", "substitution"} or "link" in name or name in {"toctree", "download"}


@pytest.mark.parametrize(
    "name", [name for name, (_, rule) in HOSTILE.items() if not _is_for_others(name, rule)]
)
def test_check_finds_it_before_sphinx_reads(handbook: Settings, name: str) -> None:
    text, rule = HOSTILE[name]
    for place in ("alone", "in a panel"):
        page = handbook.docs / f"{name}.md"
        page.write_text(f"# Words\n\n{_indented(text, PLACES[place])}\n", encoding="utf-8")
        found = list(find_refused(handbook.docs, page))
        assert rule in {each.rule for each in found}, (place, found)
        assert min(each.line or 0 for each in found) >= 3


@pytest.mark.parametrize(
    "key",
    [
        "substitutions: {x: y}",
        "myst: {enable_extensions: [html_image]}",
        "html_meta: {refresh: '0; url=https://example.org'}",
        "file_format: mystnb",
        "mystnb: {execution_mode: force}",
        "jupytext: {text_representation: {format_name: myst}}",
        "- no mapping",
    ],
)
def test_front_matter_changes_no_setting_and_makes_no_notebook(
    handbook: Settings, key: str
) -> None:
    cell = "```{code-cell}\nopen('ran.txt', 'w')\n```"
    write(
        handbook.root,
        {"docs/end.md": f"---\n{key}\nkernelspec: {{name: python3}}\n---\n# End\n\n{cell}\n"},
    )
    found = build(handbook.root)
    assert "[polytab.front-matter]" in found.warnings
    assert "example.org" not in found.text("end.html")
    assert list(handbook.root.rglob("ran.txt")) == []
    rules = {each.rule for each in find_refused(handbook.docs, handbook.docs / "end.md")}
    assert "front-matter" in rules or key == "- no mapping"


@pytest.mark.parametrize(
    "line",
    [
        "orphan: {a: &a [1, 2], b: &b [*a, *a], c: [*b, *b]}",  # twenty more, and no memory is left
        "orphan: &a [*a]",
        "tocdepth: 1000000000000",
        "nosearch: words",
        "orphan: true\n  and: more",
        "? orphan\n: true",
    ],
)
def test_a_value_of_front_matter_is_plain(handbook: Settings, line: str) -> None:
    write(handbook.root, {"docs/end.md": f"---\n{line}\n---\n# End\n"})
    rules = [each.rule for each in find_refused(handbook.docs, handbook.docs / "end.md")]
    assert set(rules) == {"front-matter"}
    assert "[polytab.front-matter]" in build(handbook.root).warnings


def test_a_notebook_or_another_markup_is_no_page(handbook: Settings) -> None:
    write(
        handbook.root, {"docs/note.ipynb": "{}", "docs/other.rst": ".. raw:: html\n\n   <b>x</b>\n"}
    )
    found = build(handbook.root)
    assert set(found.read) == {"index", "tour", "end"}


def test_a_translation_may_do_no_more_than_a_page(handbook: Settings) -> None:
    """Should one ever pass the lint: here Sphinx is given catalogs that nothing has checked."""
    _files(handbook)
    words = {
        f"Words {name}.": text for name, (text, _) in HOSTILE.items() if name != "linked-picture"
    }
    write(handbook.root, {"docs/end.md": "# End\n\n" + "\n\n".join(words) + "\n"})
    catalog = Catalog("pt_BR")
    for source, text in words.items():
        catalog.add(source, text)
    folder = handbook.locale / "pt_BR" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "end.mo").open("wb") as file:
        write_mo(file, catalog)
    found = build(handbook.root, language="pt_BR", locale_dirs=[str(handbook.locale)])
    assert found.warnings.count("[polytab.directive]") >= 12
    assert list(handbook.root.rglob("ran.txt")) == []
    article = found.page("end")
    assert article.select("script, [onerror], img[src^='https:'], a[href^='javascript:']") == []
    assert CONTENTS not in article.get_text()
    names = {path.name for path in found.app.outdir.rglob("*")}
    assert not names & {"secret.txt", "secret.png", "linked.png"}


def test_what_is_allowed_is_shown(handbook: Settings) -> None:
    (handbook.docs / "dot.png").write_bytes(b"\x89PNG")
    write(handbook.root, {"docs/end.md": ALLOWED})
    conf = handbook.root / "conf.py"
    conf.write_text(conf.read_text().replace('["colon_fence"]', '["colon_fence", "dollarmath"]'))
    assert list(find_refused(handbook.docs, handbook.docs / "end.md")) == []
    assert "end.md" not in build(handbook.root).warnings


def test_every_directive_and_role_of_ours_is_allowed(handbook: Settings) -> None:
    with docutils_namespace():
        folders = (handbook.docs, handbook.root, handbook.build / "x", handbook.build / "y")
        Sphinx(*folders, "dummy", status=None)
        known = vars(directives)["_directives"], vars(roles)["_roles"]
        ours = [{name for name, each in found.items() if _is_ours(each)} for found in known]
    assert {"snippet", "verdict"} <= ours[0] <= DIRECTIVES
    assert {"ratio", "measured"} <= ours[1] <= ROLES


def _is_ours(thing: object) -> bool:
    makers = (thing, type(thing))
    return any(str(getattr(each, "__module__", "")).startswith("polytab.") for each in makers)


def test_no_picture_of_an_output_lies_in_the_published_site(handbook: Settings) -> None:
    found = build(handbook.root)
    assert not list(handbook.build.glob("jupyter_execute")), found.warnings


def test_a_link_to_a_folder_brings_no_pages_in(handbook: Settings) -> None:
    write(handbook.root, {"private/secret.md": f"# {CONTENTS}\n"})
    (handbook.docs / "linked [x]*").symlink_to(handbook.root / "private")
    (handbook.docs / "page.md").symlink_to(handbook.root / "private" / "secret.md")
    found = build(handbook.root)
    assert set(found.read) == {"index", "tour", "end"}
    assert found.warnings.count("is a link: put the file itself there") == 2


def test_a_name_in_a_complaint_cannot_forge_lines(handbook: Settings) -> None:
    page: Path = handbook.docs / "end.md"
    page.write_text("```{a\x1b[31mb}\n```\n", encoding="utf-8")
    [finding] = find_refused(handbook.docs, page)
    assert "\x1b" not in str(finding)
