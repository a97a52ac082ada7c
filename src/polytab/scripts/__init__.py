"""What people write: scripts in percent format, the pins of environments, and keys."""
