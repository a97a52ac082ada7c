"""Sphinx settings of a handbook for tests of what a reader does."""

project = "A Reader's Handbook"
extensions = ["polytab.pages", "polytab.export"]
root_doc = "index"
myst_enable_extensions = ["colon_fence", "dollarmath"]
html_theme = "furo"
html_copy_source = False
pygments_style = "github-light-high-contrast"
pygments_dark_style = "github-dark-high-contrast"
sphinx_tabs_disable_css_loading = True
sphinx_tabs_disable_tab_closing = True
