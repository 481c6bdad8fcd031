"""Toolset exec: what runs code of the repository, offered only with --allow-exec (page 002)."""
