"""The engine: the thread that writes the index, and the interface that everybody else uses."""
