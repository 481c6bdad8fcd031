"""Toolset memory: notes that agents store for themselves and for each other."""
