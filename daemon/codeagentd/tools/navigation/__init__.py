"""Toolset navigation: along the edges of the graph."""
