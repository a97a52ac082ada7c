"""What machines wrote: recordings and measurements, what they say, and what must run again."""
