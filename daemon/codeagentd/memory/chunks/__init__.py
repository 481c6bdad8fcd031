"""Source files as memories, piece by piece."""
