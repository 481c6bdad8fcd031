"""Texts as vectors: the only package that loads the embedding model."""
