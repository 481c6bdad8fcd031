"""Toolset symbols: find and describe symbols."""
