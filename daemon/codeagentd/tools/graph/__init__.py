"""Toolset graph: the repository as a graph, its parts and what a change reaches (page 002)."""
