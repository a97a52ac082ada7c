"""What a reader takes away."""
