"""Settings of a tiny handbook about speed."""

project = "Numbers"
extensions = ["polytab.pages"]
root_doc = "index"
myst_enable_extensions = ["colon_fence"]
html_theme = "polytab"
