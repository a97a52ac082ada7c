"""The tests: one module for each module of `src/polytab`, read like its specification."""
