"""Tests of the command line: what a person types and what they read."""
