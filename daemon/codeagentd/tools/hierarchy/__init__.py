"""Toolset hierarchy: tools that page 001 reserves for later: a document's symbols, and types, calls and imports over
several steps.
"""
