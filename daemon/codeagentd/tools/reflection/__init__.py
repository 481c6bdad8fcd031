"""Toolset reflection: what came of attempts, and what follows for the next one."""
