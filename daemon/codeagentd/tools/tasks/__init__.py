"""Toolset tasks: one task board for all agents of a user."""
