"""The languages: messages out of pages and snippets, and checked translations back into them.

A msgstr is parsed by Sphinx as a whole document, so it is code from a stranger: `lint` reads it
first, and only what passed is compiled.
"""
