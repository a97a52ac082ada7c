"""What MyST's own tokenizer sees of a message: its blocks, its inline parts and its prose.

One parser serves every message, because making one takes longer than using it. A token that MyST
knows and this module does not is compared as it stands: new syntax is refused in translations
until somebody decides what of it may change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

EXTENSIONS = frozenset(
    {"attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution"}
)
"""MyST's extensions that pages are read with, and the only ones that a book may choose from."""

OPAQUE = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands in the prose for what is no prose: code, math, an image, an address, a placeholder."""

EDGE = "\ue000"
"""Stands in the prose where emphasis begins or ends with something that is no letter.

There CommonMark needs a space or a punctuation mark outside, or it does not see the emphasis.
"""

TITLED_ROLES = frozenset({"any", "doc", "download", "eq", "numref", "ref", "term"})
"""Roles written `text <target>`, whose text may change; any other role stays as it is."""

_ADDRESS = (
    r"(?:https?://|www\.)[!-;=?-~\u00a1-\u024f]*[0-9A-Za-z/\u00c0-\u024f]"
    r"|(?<![0-9A-Za-z.+_-])[0-9A-Za-z.+_-]+@[0-9A-Za-z-]+\.[0-9A-Za-z.-]*[0-9A-Za-z]"
)
_PLACEHOLDER = r"%\([A-Za-z_]\w*\)[sdifr]|%[sdifr]\b|\{[^{}]*\}"
_INSERTED = re.compile(rf"(?P<address>{_ADDRESS})|(?P<placeholder>{_PLACEHOLDER})", re.ASCII)
_OPEN, _CLOSE = "\ue001", "\ue002"
_NEEDLESS_EDGE = re.compile(rf"{_OPEN}(?=\w)|(?<=\w){_CLOSE}")
_EDGE = re.compile(f"[{_OPEN}{_CLOSE}]")
_OWN_ATTRIBUTES = {
    "link_open": {"href", "title"},
    "image": {"src", "alt", "title"},
    "substitution_inline": {"class", "text"},
}


@dataclass(frozen=True)
class Block:
    """One block token; `detail` is all it says but for the text that is translated."""

    kind: str
    detail: str


@dataclass(frozen=True)
class Part:
    """One inline thing that a translation keeps; `value` is what of it must stay the same."""

    kind: str
    value: str


@dataclass(frozen=True)
class Structure:
    """A message as MyST reads it."""

    blocks: tuple[Block, ...]
    parts: tuple[Part, ...]
    prose: str

    def values(self, kind: str) -> tuple[str, ...]:
        """Return what must stay the same in the parts of this kind, in their order."""
        return tuple(part.value for part in self.parts if part.kind == kind)

    def has(self, *kinds: str) -> bool:
        """Tell whether there is a block of one of these kinds."""
        return any(block.kind in kinds for block in self.blocks)


def structure(text: str) -> Structure:
    """Read a message of a page, as Sphinx will."""
    env: EnvType = {}
    tokens = tokenise(text, env)
    blocks = [Block("definition", label) for label in env.get("references", ())]
    blocks += [Block(token.type, _detail(token)) for token in tokens]
    runs = [inline(token.children or ()) for token in tokens if token.type == "inline"]
    parts = tuple(part for run in runs for part in run.parts)
    return Structure(tuple(blocks), parts, "\n".join(run.prose for run in runs))


def inline(tokens: Sequence[Token]) -> Structure:
    """Read what stands in one paragraph, heading or table cell."""
    parts: list[Part] = []
    prose = "".join(_prose(token, parts) for token in tokens)
    if _OPEN in prose:
        prose = _EDGE.sub(EDGE, _NEEDLESS_EDGE.sub("", prose))
    return Structure((), tuple(parts), prose)


def plain(text: str) -> Structure:
    """Read a message that is no Markdown: a comment in code, a word of the interface."""
    parts: list[Part] = []
    prose = _without_insertions(text, parts)
    return Structure((), tuple(parts), prose)


def tokenise(text: str, env: EnvType) -> list[Token]:
    """Return the tokens of a message or of a page; `env` receives the definitions."""
    return _parser().parse(text, env)


@cache
def _parser() -> MarkdownIt:
    return create_md_parser(MdParserConfig(enable_extensions=set(EXTENSIONS)), RendererHTML)


def _detail(token: Token) -> str:
    said = "" if token.type == "inline" else token.content
    return repr((token.tag, token.info, said, sorted(token.attrs.items()), token.meta))


def _prose(token: Token, parts: list[Part]) -> str:
    """Return what a reader hears of a token; add to `parts` what of it must stay."""
    parts.extend(_attributes(token))
    spoken = ""
    match token.type:
        case "text":
            spoken = _without_insertions(token.content, parts)
        case "softbreak":
            spoken = " "
        case "link_open":
            parts.append(Part("link", str(token.attrs["href"])))
        case "em_open" | "strong_open" | "s_open":
            parts.append(Part("emphasis", token.tag))
            spoken = _OPEN
        case "em_close" | "strong_close" | "s_close":
            spoken = _CLOSE
        case "myst_role":
            spoken = _role(token, parts)
        case "link_close" | "span_open" | "span_close":
            pass
        case _:
            parts.append(_kept(token))
            spoken = OPAQUE
    return spoken


def _kept(token: Token) -> Part:
    match token.type:
        case "code_inline" | "html_inline" | "math_inline" | "substitution_inline":
            return Part(token.type.removesuffix("_inline"), token.content)
        case "image":
            return Part("image", str(token.attrs["src"]))
        case "footnote_ref":
            return Part("footnote", token.meta["label"])
    return Part("markup", f"{token.type} {_detail(token)}")


def _role(token: Token, parts: list[Part]) -> str:
    name, content = token.meta["name"], token.content
    title, sign, target = content.removesuffix(">").rpartition("<")
    titled = title and sign and content.endswith(">") and not content.startswith("!")
    if name in TITLED_ROLES and titled:
        parts.append(Part("role", f"{{{name}}}`{target}`"))
        return _without_insertions(title.rstrip(), parts)
    if name == "abbr":
        parts.append(Part("role", "{abbr}"))
        return content
    parts.append(Part("math" if name == "math" else "role", f"{{{name}}}`{content}`"))
    return content if name == "term" else OPAQUE


def _attributes(token: Token) -> Iterator[Part]:
    added = token.attrs.keys() - _OWN_ATTRIBUTES.get(token.type, set())
    for name in sorted(added):
        yield Part("attribute", f"{token.type} {name}={token.attrs[name]}")


def _without_insertions(text: str, parts: list[Part]) -> str:
    """Take addresses and placeholders out of a text; they must stay as they are."""

    def take(match: re.Match[str]) -> str:
        parts.append(Part(str(match.lastgroup), match[0]))
        return OPAQUE

    return _INSERTED.sub(take, text)
