"""Embedded languages: the parts of a file that are in other languages, one module for each kind of mixed file."""
