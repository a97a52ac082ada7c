"""How far a paragraph, and a page, is translated."""
