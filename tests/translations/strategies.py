"""Catalogs for hypothesis to vary: whatever a `.po` file can say."""

from __future__ import annotations

from hypothesis import strategies as st

from polytab.translations.catalogs import Catalog, Entry

_CHARACTERS = st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from('\n\t\\"#~|')
TEXTS = st.text(_CHARACTERS).map(lambda text: text.strip("\n"))
"""Any text a message may hold; messages of pages do not begin or end with a line end."""

_LINES = st.text(st.characters(exclude_categories=("Cc", "Cs"))).map(
    lambda line: line.rstrip(" \\")
)


@st.composite
def entries(draw: st.DrawFn, source: str) -> Entry:
    translation = draw(TEXTS)
    fuzzy = bool(translation) and draw(st.booleans())
    return Entry(
        source,
        translation,
        fuzzy,
        draw(st.none() | TEXTS) if fuzzy else None,
        tuple(draw(st.lists(_LINES, max_size=2))),
        tuple(draw(st.lists(st.sampled_from(["docs/a.md", "docs/b.md"]), unique=True))),
    )


@st.composite
def catalogs(draw: st.DrawFn) -> Catalog:
    sources = draw(st.lists(TEXTS.filter(bool), unique=True, max_size=6))
    messages = [draw(entries(source)) for source in sources]
    border = draw(st.integers(0, len(messages)))
    return Catalog(
        tuple(messages[:border]),
        tuple(messages[border:]),
        (("Language", "zh_CN"), ("Content-Type", "text/plain; charset=UTF-8")),
        tuple(draw(st.lists(_LINES, max_size=2))),
    )
