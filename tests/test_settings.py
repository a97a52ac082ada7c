"""`[tool.polytab]` says all it must and nothing else; what is wrong has its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polytab.errors import SettingsError, UsageError
from polytab.model import Framework, Language
from polytab.settings import load_settings
from tests.support.handbook import write

if TYPE_CHECKING:
    from pathlib import Path

    from polytab.settings import Settings

GOOD = """\
[project]
name = "no concern of ours"
title = 1

[tool.polytab]
title = "A Book"
docs = "docs"
snippets = "code/snippets"
environments = "environments"
recordings = "recordings"
translations = "translations"
build = "_build"
repository = "https://example.org/book/"

[tool.polytab.frameworks]
python = { title = "Python" }
torch = { title = "PyTorch", package = "torch" }

[tool.polytab.languages]
en = { name = "English", locale = "en", tag = "en" }

[tool.polytab.languages.zh]
name = "简体中文"
locale = "zh_CN"
tag = "zh-Hans"
title = "一本书"
"""


def _load(folder: Path, text: str) -> Settings:
    write(folder, {"pyproject.toml": text})
    return load_settings(folder)


def test_settings_say_where_everything_lies(tmp_path: Path) -> None:
    settings = _load(tmp_path, GOOD)
    assert settings.title == "A Book"
    assert settings.snippets == tmp_path / "code" / "snippets"
    assert settings.overlay == tmp_path / "_build" / "recordings"
    assert settings.site == tmp_path / "_build" / "site"
    assert settings.repository == "https://example.org/book"
    assert settings.address is None
    assert settings.frameworks == (
        Framework("python", "Python"),
        Framework("torch", "PyTorch", "torch"),
    )
    assert settings.languages == (
        Language("en", "English", "en", "en", "A Book"),
        Language("zh", "简体中文", "zh_CN", "zh-Hans", "一本书"),
    )


def test_a_framework_and_a_language_have_their_names(tmp_path: Path) -> None:
    settings = _load(tmp_path, GOOD)
    assert settings.framework("torch").title == "PyTorch"
    assert settings.language("zh").tag == "zh-Hans"
    assert settings.source_language.code == "en"
    with pytest.raises(UsageError, match="unknown framework `jax`") as caught:
        settings.framework("jax")
    assert caught.value.hint == "known frameworks: python, torch"
    with pytest.raises(UsageError, match="unknown language `pt`") as caught:
        settings.language("pt")
    assert caught.value.hint == "known languages: en, zh"


def test_a_framework_may_say_why_colab_cannot_run_it(tmp_path: Path) -> None:
    said = '"torch", colab = { zh = "不行。", en = "It cannot." } }'
    settings = _load(tmp_path, GOOD.replace('"torch" }', said))
    assert settings.framework("torch").colab == (("en", "It cannot."), ("zh", "不行。"))
    assert settings.framework("python").colab == ()


def test_the_pages_are_the_folders_of_snippets(tmp_path: Path) -> None:
    settings = _load(tmp_path, GOOD)
    assert settings.pages_with_scripts() == ()
    write(settings.snippets, {"b/x.py": "", "a/x.py": "", "__pycache__/x.py": "", "measure.py": ""})
    assert settings.pages_with_scripts() == ("a", "b")


def test_a_framework_may_have_another_package_on_cuda_or_a_reason_for_none(tmp_path: Path) -> None:
    more = '"torch", cuda_package = "torch-cuda" }\njax = { title = "JAX", no_cuda = "So." }'
    settings = _load(tmp_path, GOOD.replace('"torch" }', more))
    torch, jax = settings.framework("torch"), settings.framework("jax")
    assert [torch.package_on(device) for device in ("cpu", "cuda")] == ["torch", "torch-cuda"]
    assert (torch.no_cuda, jax.no_cuda) == (None, "So.")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('title = "A Book"', 'titel = "A Book"', 6, "unknown key `titel` in [tool.polytab]"),
        (
            'package = "torch"',
            'pakage = "torch"',
            17,
            "unknown key `pakage` in [tool.polytab.frameworks.torch]",
        ),
        (
            'tag = "zh-Hans"',
            'tag = "zh-Hans"\ndir = "ltr"',
            26,
            "unknown key `dir` in [tool.polytab.languages.zh]",
        ),
        ('tag = "zh-Hans"', "tag = 'zh\"><b>'", 25, "`tag` of `zh` must be as in `pt-BR`"),
        ('"zh_CN"', '"../zh_CN"', 24, "`locale` of `zh` must be as in `pt_BR`"),
        ('title = "A Book"\n', "", 5, "[tool.polytab] lacks `title`"),
        ('docs = "docs"', "docs = 1", 7, "`docs` in [tool.polytab] must be text"),
        ('docs = "docs"', 'confine = "never"', 7, "`confine` must be one of `required`,"),
        ('docs = "docs"', 'log = "INFO"', 7, "`log` must be a list of regular expressions"),
        ('docs = "docs"', "log = [1]", 7, "`log` must be a list of regular expressions"),
        ('docs = "docs"', 'log = ["("]', 7, "`log` cannot have `(`: missing ), unterminated"),
        ('docs = "docs"', 'log = ["a(?i)"]', 7, "`log` cannot have `a(?i)`: global flags not at"),
        ('docs = "docs"', 'log = ["a*"]', 7, "`log` cannot have `a*`: it begins every line"),
        ('docs = "docs"', 'docs = " "', 7, "`docs` in [tool.polytab] must be text"),
        ("https://", "http://", 13, "`repository` must be an https address"),
        ('"PyTorch"', "1", 17, "`title` in [tool.polytab.frameworks.torch] must be text"),
        ('"torch" }', '"torch", no_cuda = 1 }', 17, "`no_cuda` in [tool.polytab.frameworks.torch]"),
        ('"torch" }', "[] }", 17, "`package` in [tool.polytab.frameworks.torch] must be text"),
        ('"torch" }', '"torch", colab = "no" }', 17, "`colab` must be a table by language: colab"),
        ('"torch" }', '"torch", colab = { zh = "x" } }', 17, "`colab` must be a table by language"),
        ('"torch" }', '"torch", colab = { en = "x", fr = "y" } }', 17, "unknown key `fr` in"),
        ('name = "English", ', "", 20, "[tool.polytab.languages.en] lacks `name`"),
        ('name = "简体中文"\n', "", 22, "[tool.polytab.languages.zh] lacks `name`"),
        ("torch = {", "Torch = {", 17, "`Torch` is no name"),
        ('{ title = "Python" }', '"Python"', 16, "[tool.polytab.frameworks.python] must be a"),
        (
            GOOD[GOOD.index("[tool.polytab.languages]") :],
            "[tool.polytab.languages]",
            19,
            "[tool.polytab.languages] must be a table that is not empty",
        ),
        (GOOD[GOOD.index("[tool.polytab]") :], "", None, "there is no [tool.polytab] table"),
        (GOOD, "tool = 1", None, "there is no [tool.polytab] table"),
        (GOOD, "tool.polytab = 1", None, "there is no [tool.polytab] table"),
        ("[project]", "[project", 1, "Expected ']'"),
    ],
)
def test_settings_that_are_not_as_they_must_be(
    tmp_path: Path, old: str, new: str, line: int | None, message: str
) -> None:
    assert old in GOOD
    with pytest.raises(SettingsError) as caught:
        _load(tmp_path, GOOD.replace(old, new))
    complaints = (caught.value, *caught.value.others)
    [found] = [each for each in complaints if message in each.message]
    assert found.file == tmp_path / "pyproject.toml"
    assert found.line == line
    assert found.hint


def test_what_has_a_default_may_be_left_out(tmp_path: Path) -> None:
    least = """\
[tool.polytab]
title = "Least"
frameworks = { numpy = {} }
languages = { en = { name = "English" }, pt_br = { name = "Português", locale = "pt_BR" } }
"""
    settings = _load(tmp_path, least)
    assert settings.snippets == tmp_path / "snippets"
    assert settings.build == tmp_path / "_build"
    assert settings.frameworks == (Framework("numpy", "numpy"),)
    assert settings.languages == (
        Language("en", "English", "en", "en", "Least"),
        Language("pt_br", "Português", "pt_BR", "pt-BR", "Least"),
    )


def test_all_complaints_come_at_once(tmp_path: Path) -> None:
    wrong = """\
[tool.polytab]
docs = 1
address = "here"
frameworks = {}
languages = { en = {}, Fr = { name = "Français" } }
moved = { "a b" = "c" }
"""
    with pytest.raises(SettingsError) as caught:
        _load(tmp_path, wrong)
    first = caught.value
    found = [(each.line, each.message) for each in (first, *first.others)]
    assert [line for line, _ in found] == sorted(line or 0 for line, _ in found)
    assert [message for _, message in found] == [
        "[tool.polytab] lacks `title`",
        "`docs` in [tool.polytab] must be text",
        "`address` must be an https address",
        "[tool.polytab.frameworks] must be a table that is not empty",
        "[tool.polytab.languages.en] lacks `name`",
        "`Fr` is no name: lower-case letters, digits and _ only",
        "`a b` and `c` must be pages: letters, digits, `-`, `_` and `/`",
    ]
    assert all(message in str(first) for _, message in found)


def test_the_environment_stands_in_for_both_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYTAB_ADDRESS", "https://pages.example/book/")
    monkeypatch.setenv("POLYTAB_REPOSITORY", "https://forge.example/fork")
    settings = _load(tmp_path, GOOD)
    assert settings.address == "https://pages.example/book"
    assert settings.repository == "https://forge.example/fork"


def test_an_empty_variable_stands_for_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYTAB_REPOSITORY", "")
    assert _load(tmp_path, GOOD).repository is None


def test_what_a_variable_says_is_held_to_the_same_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYTAB_ADDRESS", "http://pages.example")
    said = "`POLYTAB_ADDRESS`, `http://pages.example`, must be an https address"
    with pytest.raises(SettingsError, match=said):
        _load(tmp_path, GOOD)


def test_a_folder_without_settings(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no pyproject"):
        load_settings(tmp_path)
    (tmp_path / "pyproject.toml").mkdir()
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        load_settings(tmp_path)


@pytest.mark.parametrize(
    "content", [b"\xff", b"x = " + b"9" * 5000, b"x = " + b"[" * 5000, b"\0", b"x = 2026-02-31"]
)
def test_a_file_that_is_no_toml(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path)
    assert caught.value.hint == "mend the TOML"


_VALUES = st.sampled_from(["1", "true", '""', '"x"', "[]", "{}", "{ a = 1 }", '"https://x"'])
_NAMES = st.sampled_from(
    [*("title", "docs", "build", "python", "name", "tag", "package"), '"a.b"', '""', '"("']
)
_HEADERS = st.sampled_from(
    [*("tool", "tool.polytab", "tool.polytab.frameworks", "tool.polytab.languages.en"), "tool.x"]
)
_LINES = st.one_of(
    st.sampled_from(GOOD.split("\n")),
    st.builds("[{}]".format, _HEADERS),
    st.builds("{} = {}".format, _NAMES, _VALUES),
    st.text(max_size=5),
)


@given(
    st.one_of(
        st.binary(),
        st.lists(_LINES).map("\n".join),
        st.tuples(st.sampled_from(GOOD.split("\n")), _LINES).map(lambda p: GOOD.replace(*p)),
    )
)
def test_whatever_the_file_holds_the_answer_is_settings_or_a_complaint(
    tmp_path_factory: pytest.TempPathFactory, content: str | bytes
) -> None:
    root = tmp_path_factory.getbasetemp()
    data = content.encode() if isinstance(content, str) else content
    (root / "pyproject.toml").write_bytes(data)
    try:
        settings = load_settings(root)
    except SettingsError as error:
        assert error.hint  # noqa: PT017  # either outcome is right, another exception is not
    else:
        assert settings.frameworks
        assert settings.languages
