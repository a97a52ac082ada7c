"""A Sphinx theme that any book can choose: templates and page furniture."""
