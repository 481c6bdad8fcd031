"""Computations over the whole graph: the analysis process, metrics, edges between languages."""
