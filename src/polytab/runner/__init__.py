"""The package that runs scripts and writes recordings; it needs no pages, Sphinx or languages."""
