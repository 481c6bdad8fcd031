"""Source files as memories, one memory for each piece."""
