"""Tests of the wing that reads recordings: real Sphinx on tiny sites."""
