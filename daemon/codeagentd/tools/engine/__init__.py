"""Toolset engine: index files, show the engine's state."""
