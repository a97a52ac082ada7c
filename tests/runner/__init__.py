"""Tests of the wing that writes recordings: real kernels, real environments."""
