"""Books that a stranger could have written: pages, drawings, catalogs and recordings, from a seed.

Most of a book is well formed, so that much of it passes the lint; then something is damaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

WORDS = ("wheel", "river", "stone", "cloud", "paper", "light", "horse", "music", "glass", "bread")
"""Of these all text is made."""

_BLOCKS = (
    "# {w}", "## {w} {w}", "{w} {w} *{w}* **{w}** `{w}`.", "- {w}\n- {w}\n  - {w}",
    "1. {w}\n2. {w}",
    "> {w} {w}", "| {w} | {w} |\n|---|---|\n| {w} | {w} |", "({w})=\n## {w}", "{{ref}}`{w}`",
    "[{w}](page0.md)", "[{w}](https://example.org/{w})", "[{w}](#{w})", "<https://example.org>",
    "[{w}](<{w} {w}.md>)", "[{w}]({w}:{w})", "![{w}](flow0.svg)", "![{w}]({w}.png)",
    "```{{figure}} flow1.svg\n:alt: {w}\n:name: {w}\n:target: {w}\n\n{w}\n```",
    "```{{image}} flow2.svg\n:alt: {w}\n:width: {n}%\n```", "```python\n{w} = {n}\n```",
    "```{{toctree}}\n:glob:\n:maxdepth: {n}\n{w}*\n```", "```{{toctree}}\npage{n}\n```",
    "```{{chapters}}\n:glob:\n{w}*\n```", "```{{chapters}}\npage{n}\n```",
    ":::{{note}}\n{w}\n:::", ":::{{admonition}} {w}\n{w}\n:::", "{w}[^{w}]\n\n[^{w}]: {w}",
    "::::{{tabs}}\n:::{{group-tab}} PyTorch\n{w}\n:::\n:::{{group-tab}} MXNet\n{w}\n:::\n::::",
    "::::{{tabs}}\n:::{{tab}} {w}\n{w}\n:::\n::::", ":::{{snippet}} add\n:::", "{{math}}`{w}^{n}`",
    "```{{list-table}} {w}\n:header-rows: 1\n\n* - {w}\n  - {w}\n* - {w}\n  - {w}\n```",
    "```{{table}} {w}\n| {w} |\n|---|\n| {w} |\n```", "```{{math}}\n:label: {w}\n{w}_{n}\n```",
    "```{{glossary}}\n{w}\n  {w} {w}\n```", "{{term}}`{w}` {{abbr}}`{w} ({w})` {{kbd}}`{w}`",
    "{{numref}}`{w}` {{eq}}`{w}` {{doc}}`page{n}` {{doc}}`/{w}`", "{{download}}`{w} <flow0.svg>`",
    "{{ratio}}`{w}: {w} vs {w}`",
    ":::{{verdict}} {w}: {w} vs {w}\n:::{{when}} faster\n{w}\n:::\n:::",
    ":::{{benchmark}} {w}\n:::",
    "```{{code-block}} python\n:emphasize-lines: {n}\n{w}\n```",
    ":::{{rubric}} {w}\n:::", "{w}\n: {w}", "***", "\\{w}", "&amp; &#{n}; &{w};",
    "---\norphan: {w}\n---",
)  # fmt: skip
_PIECES = (
    *("`", "*", "_", "[", "]", "(", ")", "<", ">", "{", "}", ":", ":::", "```", "|", "\\", "#"),
    *("\n", "\n\n", "\t", "    ", "&#0;", "%00", "é", "\u0301", "中", "🙂", "$", "$$", "%", "^"),
    *("{{", "}}", "<b>", "</b>", "<!--", "-->", "\x1b", "\r", "\u202e", "==", "+", "//", "..", "~"),
)
_SHAPES = (
    "<g>{}</g>", '<rect x="1" y="{n}" width="2" height="3"/>{}', "<text>{w}</text>{}",
    '<path d="M0 0" style="fill: {w}; stroke-width: {n}"/>{}', "<desc>{w}</desc>{}",
    '<text><tspan class="code">{w}</tspan>{w}</text>{}', '<marker id="{w}"/>{}', "<{w}/>{}",
)  # fmt: skip


@dataclass(frozen=True)
class Inventor:
    """Writes files from one source of chance."""

    chance: Random

    def words(self, text: str) -> str:
        """Fill the places of a text with words and small numbers."""
        while "{w}" in text or "{n}" in text:
            text = text.replace("{w}", self.chance.choice(WORDS), 1)
            text = text.replace("{n}", str(self.chance.randrange(9)), 1)
        return text

    def page(self) -> str:
        """Write a page."""
        count = self.chance.randrange(1, 7)
        blocks = [self.words(self._block()) for _ in range(count)]
        return self.damaged(self.words("# {w}\n\n") + "\n\n".join(blocks) + "\n")

    def _block(self) -> str:
        block = self.chance.choice(_BLOCKS).replace("{{", "{").replace("}}", "}")
        if self.chance.random() < 0.2:  # as often as people do
            block = f"::::::{{note}}\n{block}\n::::::"
        return block

    def drawing(self) -> str:
        """Draw something."""
        inside = "{}"
        for _ in range(self.chance.choice((1, 3, 60))):
            inside = inside.replace("{}", self.chance.choice(_SHAPES), 1)
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        return self.damaged(self.words(f"{head}{inside.replace('{}', '')}</svg>"))

    def damaged(self, text: str) -> str:
        """Damage a text in some places, or in none."""
        for _ in range(self.chance.choice((0, 0, 1, 3))):
            at = self.chance.randrange(len(text) + 1)
            gone = self.chance.choice((0, 0, 1, 5))
            text = text[:at] + self.chance.choice(_PIECES) + text[at + gone :]
        return text
