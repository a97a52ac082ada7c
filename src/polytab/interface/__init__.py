"""The interface's own words, numbers and lists in each language; no Sphinx."""
