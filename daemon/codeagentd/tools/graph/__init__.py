"""Toolset graph: the repository as a graph, its parts, and the effects of a change (page 002)."""
