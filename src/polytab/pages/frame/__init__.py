"""What stands around an article."""
