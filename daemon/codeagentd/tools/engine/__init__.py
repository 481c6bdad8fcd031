"""Toolset engine: index files, tell the engine's state."""
