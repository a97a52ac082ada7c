"""Generated Python programs, plain and with comments and blank lines wherever those may stand."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st


@dataclass(frozen=True)
class Line:
    """A line of code; after a `free` one a comment may follow: no string or `\\` spans its end."""

    text: str
    free: bool = True


@dataclass(frozen=True)
class Program:
    """A program without a comment, the same with some, and those, each as it was put in."""

    plain: str
    commented: str
    comments: tuple[str, ...]


def _lines(text: str, *, spanned: bool = False) -> tuple[Line, ...]:
    lines = text.split("\n")
    return tuple(Line(line, not spanned or line is lines[-1]) for line in lines)


STATEMENTS = (
    _lines("x = 1"),
    _lines("x = 1; y = 2"),
    _lines("é = 'ü # no comment'"),
    _lines('text = "\'# neither\\""'),
    _lines("raw = r'\\#'"),
    _lines("data = b'#'"),
    _lines('said = f"{x} # {y!r:>{8}}"'),
    _lines("mail(\n    x,\n    key='#',\n)"),
    _lines("numbers = [\n    1,\n    2]"),
    _lines("total = 1 + \\\n    2", spanned=True),
    _lines("note = 'one \\\ntwo # three'", spanned=True),
    _lines('"""One line."""'),
    _lines('text = """one\n\n  # data  \n\n\'\'\' two"""', spanned=True),
    _lines("text = '''\\\n\n\t\n# data'''", spanned=True),
    _lines('text = f"""{x}\n\n# data {y}\n"""', spanned=True),
    _lines("@decorator\ndef f(a, /, b=1, *, c): return a"),
    _lines("match x:\n    case 1: pass"),
)

HEADS = (
    "if x:",
    "def f(a):",
    "class A(B):",
    "for i in range(3):",
    "while True:",
    "with open('#') as file:",
    "async def g():",
)


def _indented(head: str, body: list[tuple[Line, ...]]) -> tuple[Line, ...]:
    lines = [Line(head)]
    for statement in body:
        inside = False  # the second line of a string is data, and must not be moved
        for line in statement:
            lines.append(line if inside else Line(f"    {line.text}", line.free))
            inside = not line.free
    return tuple(lines)


_statement = st.recursive(
    st.sampled_from(STATEMENTS),
    lambda inner: st.builds(
        _indented, st.sampled_from(HEADS), st.lists(inner, min_size=1, max_size=3)
    ),
    max_leaves=4,
)

comment_texts = st.one_of(
    st.sampled_from(
        ["#", "# !rm x", "# cat y", "#!ls", "# ''' \"", "# \\", "# type: ignore", "# 中文 é 🙂"]
    ),
    st.text(
        st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12
    ).map(lambda text: f"# so {text}"),
)  # fmt: skip


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Draw a program, and comments and blank lines for it."""
    plain: list[str] = []
    commented: list[str] = []
    said: list[str] = []

    def lines_between() -> None:
        for _ in range(draw(st.integers(0, 2))):
            if draw(st.booleans()):
                commented.append(draw(st.sampled_from(["", "  ", "\t", "\f"])))
            else:
                said.append(draw(comment_texts))
                commented.append(draw(st.sampled_from(["", "    ", "  "])) + said[-1])

    lines_between()
    for statement in draw(st.lists(_statement, min_size=1, max_size=4)):
        for line in statement:
            plain.append(line.text)
            end = ""
            if line.free:
                end = draw(st.sampled_from(["", "", " ", "  "]))
                if draw(st.booleans()):
                    said.append(draw(comment_texts))
                    end += said[-1]
            commented.append(line.text + end)
            if line.free:
                lines_between()
    return Program("\n".join(plain), "\n".join(commented), tuple(said))
