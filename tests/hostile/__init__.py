"""Input of strangers: nothing of it runs, is written elsewhere, or crashes the engine."""
