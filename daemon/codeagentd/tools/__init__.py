"""One folder per toolset, one module per question."""
