"""Sphinx settings of the handbook: polytab has all others."""

author = "the authors of Deep Learning, Compiled"
copyright = "the authors; text CC BY 4.0, code Apache-2.0"  # noqa: A001  # Sphinx's name

extensions = ["polytab"]
exclude_patterns = ["contributing/**"]
html_show_copyright = False
