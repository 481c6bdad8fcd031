"""Foundations of every layer: limits, paths, text, clock, log."""
