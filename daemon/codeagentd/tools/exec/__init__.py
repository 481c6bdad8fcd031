"""Toolset exec: the tools that run code of the repository, offered only with --allow-exec (page 002)."""
