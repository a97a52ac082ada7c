"""Measurements on a page: ratios, verdicts, benchmarks, rooflines."""
