"""Languages -> a published folder."""
