"""Which parts of a file are in which language, one module per kind of mixed file."""
