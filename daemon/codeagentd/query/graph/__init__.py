"""Queries of the symbol graph: neighbours, references, paths, impact, metrics of nodes."""
