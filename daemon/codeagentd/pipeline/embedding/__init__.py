"""Vectors: which symbols need one, the process that computes them, and where they are stored."""
