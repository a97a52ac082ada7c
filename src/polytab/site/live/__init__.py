"""A preview of one language: what is saved is built, and its page loads again."""
