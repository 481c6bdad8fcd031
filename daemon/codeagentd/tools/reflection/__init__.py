"""Toolset reflection: the outcomes of attempts, and advice for the next attempt."""
