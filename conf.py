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

html_theme = "furo"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_use_index = False
html_theme_options = {"navigation_with_keys": False}
pygments_style = "github-light-high-contrast"  # the one with enough contrast on our grounds
pygments_dark_style = "github-dark-high-contrast"
sphinx_tabs_disable_css_loading = True
sphinx_tabs_disable_tab_closing = True
