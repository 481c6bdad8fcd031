"""Toolset indexing: source files as memories."""
