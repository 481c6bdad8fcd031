"""Toolset navigation: following the edges of the graph."""
