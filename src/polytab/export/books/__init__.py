"""E-books: the pages of a language as an EPUB, a PDF and Markdown, of one framework or of all."""
