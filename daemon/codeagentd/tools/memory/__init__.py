"""Toolset memory: what agents keep for later, and for each other."""
