"""What a page may use, and the checks of pages before they are built."""
