"""The rules of the lint. A rule is a generator of complaints and its function's name is its name.

Each docstring shows a translation that is refused and one that is not, `English -> translation`;
tests/translations/rules/test_lint.py runs them. A complaint says what to do.
"""
