"""Sphinx settings of a handbook for tests of what a reader does."""

project = "A Reader's Handbook"
extensions = ["polytab.pages", "polytab.export"]
root_doc = "index"
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_theme = "polytab"
