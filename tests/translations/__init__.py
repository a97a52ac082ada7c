"""The translations: catalogs, comments and the lint that stands before Sphinx."""
