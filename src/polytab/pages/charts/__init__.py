"""Numbers -> SVG: bars, curves, axes."""
