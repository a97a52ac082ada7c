"""The frame of an article: head, breadcrumbs, links to its sources, other languages."""
