"""Toolset retrieval: questions in words, answered with places in the code."""
