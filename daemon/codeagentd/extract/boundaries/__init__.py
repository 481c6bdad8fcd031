"""Boundaries: places where a file leaves its language or process, by the tables languages/data/*/boundaries.toml."""
