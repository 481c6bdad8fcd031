"""Queries for symbols: by node id, by name, by text, by file."""
