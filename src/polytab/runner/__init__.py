"""The wing that writes recordings. It knows nothing of pages, Sphinx or languages."""
