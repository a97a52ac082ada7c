"""What can be found, and the dialog that finds it."""
