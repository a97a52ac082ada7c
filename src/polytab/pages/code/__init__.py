"""A cell on a page: code, outputs, framework tabs, devices."""
