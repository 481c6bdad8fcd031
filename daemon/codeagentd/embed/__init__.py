"""Texts as vectors: the only home of the embedding model."""
