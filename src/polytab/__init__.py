"""polytab: books whose snippets exist in several libraries, are really run, and are translated.

From the ground up: `errors`, `model`, `settings` and `git`; `scripts`, what people write;
`recordings`, what machines wrote; `interface` and `translations`, the languages; `search` and
`theme`; `pages`, a Sphinx extension that shows recordings, and `runner`, which makes them; `site`
and `export`, what readers get; `cli`. docs/contributing/architecture.md has the drawing.
"""

__version__ = "0.2.0"
