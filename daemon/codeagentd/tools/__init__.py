"""The tools: one package per toolset, one module per subject."""
