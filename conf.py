"""Sphinx settings of the handbook. Nothing is decided here: polytab does the work."""

project = "Deep Learning, Compiled"
author = "the authors of Deep Learning, Compiled"
copyright = "the authors; text CC BY 4.0, code Apache-2.0"  # noqa: A001  # Sphinx's name

extensions = ["polytab.pages", "polytab.export"]
root_doc = "index"
exclude_patterns = ["contributing/**"]
nitpicky = True
numfig = True

myst_enable_extensions = [
    *("attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution"),
]
myst_heading_anchors = 3

html_theme = "polytab"
html_show_copyright = False
