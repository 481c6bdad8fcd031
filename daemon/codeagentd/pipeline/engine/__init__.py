"""The engine: the thread that writes the index, and the interface for the rest of the daemon."""
