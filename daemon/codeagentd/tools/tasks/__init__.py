"""Toolset tasks: one board for all agents of a user."""
