"""A real browser on a small real site, served on loopback."""
