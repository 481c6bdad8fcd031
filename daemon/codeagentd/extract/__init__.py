"""Extraction: the bytes of a file to its facts, the symbols and references."""
