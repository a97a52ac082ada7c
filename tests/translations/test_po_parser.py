"""Which files are catalogs, and what is said of the others."""

from __future__ import annotations

import shutil
import subprocess
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from polytab.translations import po_parser
from polytab.translations.catalogs import Catalog, CatalogError, Entry, catalog_text
from polytab.translations.po_parser import read_catalog
from tests.translations.strategies import catalogs

HEADER = """\
msgid ""
msgstr ""
"Language: zh_CN\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

"""
GOOD = f'{HEADER}msgid "Yes."\nmsgstr "对。"\n'


def read(tmp_path: Path, text: str | bytes, locale: str | None = "zh_CN") -> Catalog:
    path = tmp_path / "page.po"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    catalog = read_catalog(path, locale)
    assert catalog is not None
    return catalog


def complaints(tmp_path: Path, text: str | bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(CatalogError) as caught:
        read(tmp_path, text)
    assert {finding.file for finding in caught.value.findings} == {tmp_path / "page.po"}
    return [(finding.line, finding.rule) for finding in caught.value.findings]


def test_no_file_is_no_catalog(tmp_path: Path) -> None:
    assert read_catalog(tmp_path / "page.po", "zh_CN") is None


def test_what_translators_tools_write_is_read(tmp_path: Path) -> None:
    text = """\
# Chinese, by many hands.
#, fuzzy
msgid ""
msgstr ""
"PO-Revision-Date: 2026-01-02 03:04+0800\\n"
"Language: zh_CN\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"X-Generator: a tool\\n"

# Is this right?
#
#   It is.
#. a note for translators
#: docs/a.md:3 docs/b.md:7
#: docs/c.md
#, fuzzy, no-wrap
#| msgid ""
#| "Compiling "
#| "is slow."
msgid ""
"Compiling \\"pays\\".\\n"
"Twice.\\t\\\\"
msgstr "编译"
  "划算。"

#~| msgid "Older."
#~ msgid "Old."
#~ msgstr ""
#~ "旧。"
"""
    catalog = read(tmp_path, text)
    assert catalog == Catalog(
        (
            Entry(
                'Compiling "pays".\nTwice.\t\\',
                "编译划算。",
                fuzzy=True,
                previous="Compiling is slow.",
                comments=("Is this right?", "", "  It is."),
                locations=("docs/a.md:3", "docs/b.md:7", "docs/c.md"),
            ),
        ),
        (Entry("Old.", "旧。"),),
        (
            ("PO-Revision-Date", "2026-01-02 03:04+0800"),
            ("Language", "zh_CN"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("X-Generator", "a tool"),
        ),
        ("Chinese, by many hands.",),
    )
    assert catalog.entries[0].line == 20


def test_windows_line_ends_are_line_ends(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD.replace("\n", "\r\n")) == read(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ('#| msgid "b"\nmsgid "a"\nmsgstr "A"\n', Entry("a", "A")),
        ('#, fuzzy\nmsgid "a"\nmsgstr ""\n', Entry("a")),
        ('#, fuzzy\n#| msgid "b"\nmsgid "a"\nmsgstr ""\n', Entry("a")),
    ],
    ids=["a previous English without fuzzy", "fuzzy without a translation", "both"],
)
def test_leavings_of_an_edit_are_nothing(tmp_path: Path, text: str, entry: Entry) -> None:
    assert read(tmp_path, HEADER + text).entries == (entry,)


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        (b"", [(1, "header")]),
        (b"\xef\xbb\xbf" + GOOD.encode(), [(1, "encoding")]),
        (GOOD.encode("utf-16"), [(1, "encoding")]),
        (GOOD.encode("gb18030"), [(7, "encoding")]),
        (GOOD.replace("对", "\x1b[31m"), [(7, "control")]),
        (GOOD.replace("对", "\x85"), [(7, "control")]),
        (GOOD.replace("对", "\0"), [(7, "control")]),
        (GOOD.replace("\n", "\r"), [(1, "control")]),
        (GOOD.replace("UTF-8", "GBK"), [(1, "header")]),
        (GOOD.replace("; charset=UTF-8", ""), [(1, "header")]),
        (GOOD.replace("zh_CN", "pt_BR"), [(1, "header")]),
        (GOOD.replace("Language: ", "Language "), [(1, "header")]),
        ('msgid "a"\nmsgstr "A"\n', [(1, "header")]),
        (f'{GOOD}\nmsgid "Yes."\nmsgstr "是。"\n', [(9, "duplicate")]),
        (f'{GOOD}\n#~ msgid "Yes."\n#~ msgstr "是。"\n', [(9, "duplicate")]),
        (f"{GOOD}\n{HEADER}", [(9, "duplicate")]),
        (f'{GOOD}\nmsgid "Yes."\nmsgstr "1"\nmsgid "Yes."\nmsgstr "2"\n',
         [(9, "duplicate"), (11, "duplicate")]),
        (GOOD.replace('对。"', "对。"), [(7, "truncated")]),
        (GOOD.replace('r "对。"', ""), [(7, "truncated")]),
        (GOOD.replace('msgstr "对。"', ""), [(6, "truncated")]),
        (f"{GOOD}#: docs/page.md\n", [(8, "truncated")]),
        (f"{GOOD}#, fuzzy\n", [(8, "truncated")]),
        (f'{GOOD}#| msgid "No."\n', [(8, "truncated")]),
        (GOOD.replace('"Yes."', 'Yes."'), [(6, "syntax")]),
        (GOOD.replace('"Yes."', '"Yes.'), [(6, "syntax")]),
        (GOOD.replace('"Yes."', '"Ye"s."'), [(6, "syntax")]),
        (GOOD.replace("Yes.", "Ye\\qs."), [(6, "syntax")]),
        (GOOD.replace("Yes.", "\\x41"), [(6, "syntax")]),
        (GOOD.replace("Yes.", "\\r"), [(6, "syntax")]),
        (GOOD.replace('msgid "Y', 'msgidd "Y'), [(6, "syntax")]),
        (GOOD.replace('msgid "Yes."\n', ""), [(6, "syntax")]),
        (GOOD.replace('msgid "Yes."\n', '#~ msgid "Yes."\n'), [(7, "syntax")]),
        (GOOD.replace('msgstr "对', '# why\nmsgstr "对'), [(6, "syntax")]),
        (f'{GOOD}msgstr "是。"\n', [(8, "syntax")]),
        (f'{GOOD}# why\n"是。"\n', [(9, "syntax")]),
        (f"{GOOD}# why\\\n", [(8, "syntax")]),
        (f'{GOOD}#| msgid "a"\n# why\nmsgid "b"\nmsgstr "c"\n', [(9, "syntax")]),
        (f'{GOOD}#~| msgid "a"\nmsgid "b"\nmsgstr "c"\n', [(9, "syntax")]),
        (f'{GOOD}#| msgid "a"\n#| msgid "b"\nmsgid "c"\nmsgstr "d"\n', [(9, "syntax")]),
        (f'{GOOD}<<<<<<< HEAD\nmsgid "a"\nmsgstr "b"\n', [(8, "syntax")]),
        (f'{GOOD}msgctxt "menu"\nmsgid "a"\nmsgstr "b"\n', [(8, "syntax")]),
        (f'{GOOD}msgid "a"\nmsgid_plural "as"\nmsgstr[0] "b"\n', [(9, "syntax")]),
        (f"{GOOD}\n:::{{include}} /etc/passwd\n:::\n", [(9, "syntax")]),
    ],
)  # fmt: skip
def test_what_is_no_catalog_is_refused(
    tmp_path: Path, text: str | bytes, findings: list[tuple[int, str]]
) -> None:
    assert complaints(tmp_path, text) == findings


def test_a_huge_file_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(po_parser, "MAX_BYTES", 100)
    assert complaints(tmp_path, b"\xff" * 101) == [(None, "size")]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real.po").write_text(GOOD, encoding="utf-8")
    (tmp_path / "page.po").symlink_to(tmp_path / "real.po")
    with pytest.raises(CatalogError, match="this is a link"):
        read_catalog(tmp_path / "page.po", "zh_CN")


def test_a_folder_is_no_catalog(tmp_path: Path) -> None:
    (tmp_path / "page.po").mkdir()
    with pytest.raises(CatalogError, match="cannot be read"):
        read_catalog(tmp_path / "page.po", "zh_CN")


@pytest.mark.parametrize("language", ["zh", "zh-Hans", "zh_TW", ""])
def test_a_tool_may_name_the_language_in_its_own_way(tmp_path: Path, language: str) -> None:
    assert read(tmp_path, GOOD.replace("zh_CN", language)).entries


FRAGMENTS = st.sampled_from(
    ["\n", '"', "\\", '\\"', "#", "#~ ", "#| ", "#, fuzzy\n", "msgid ", "msgstr ", '""\n', " "]
)


@pytest.mark.skipif(not shutil.which("msgfmt"), reason="GNU gettext is not installed")
@given(catalogs(), st.data())
def test_what_is_read_gettext_reads_too(catalog: Catalog, data: st.DataObject) -> None:
    text = catalog_text(catalog)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 8, len(text))))
    damaged = f"{text[:start]}{data.draw(FRAGMENTS)}{text[end:]}".encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.po"
        path.write_bytes(damaged)
        try:
            read = read_catalog(path, "zh_CN")
        except CatalogError:
            return
    assert read is not None
    texts = [(each.source, each.translation) for each in read.entries if each.translation]
    assume(not any("\n" in text[:1] + text[-1:] for pair in texts for text in pair))  # for the lint
    command = ["msgfmt", "--use-fuzzy", "--output-file=-", "-"]
    done = subprocess.run(command, input=damaged, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    theirs = vars(GNUTranslations(BytesIO(done.stdout)))["_catalog"]
    assert {source: text for source, text in theirs.items() if source} == dict(texts)
