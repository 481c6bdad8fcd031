"""Vectors: the symbols that need one, the process that computes them, and their storage."""
