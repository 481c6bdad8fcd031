"""Structural subtyping: which types implement which interfaces by their methods alone, as references of the graph."""
