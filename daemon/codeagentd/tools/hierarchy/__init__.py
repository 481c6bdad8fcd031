"""Toolset hierarchy: what page 001 names for later: a document's symbols, types, calls and imports
over several steps.
"""
