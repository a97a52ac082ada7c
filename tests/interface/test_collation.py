from __future__ import annotations

import pytest

from polytab.interface.collation import sort_key


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en", ["all-reduce", "Amdahl", "GPU", "guard"]),
        ("pt_BR", ["aba", "árvore", "averiguar", "zero"]),
        ("zh_CN", ["GPU", "编译", "带宽", "死代码", "中位数"]),
    ],
)
def test_words_are_put_in_the_order_of_the_language(locale: str, words: list[str]) -> None:
    assert sorted(set(words), key=lambda each: sort_key(each, locale)) == words
