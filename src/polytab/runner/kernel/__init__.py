"""One script in one fresh kernel, in a process group that ends with it."""
