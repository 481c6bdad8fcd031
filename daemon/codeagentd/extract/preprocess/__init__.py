"""Preprocessing of a source before it is parsed: macros, conditional code, embedded languages."""
