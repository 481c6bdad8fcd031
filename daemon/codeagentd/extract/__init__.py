"""Extraction: the bytes of one file become its facts, the symbols and references."""
