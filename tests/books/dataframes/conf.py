"""Sphinx settings of this book; what is not said here, polytab says."""

extensions = ["polytab"]
