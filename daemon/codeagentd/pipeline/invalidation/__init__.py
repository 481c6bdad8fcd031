"""Invalidation: the files that have to be resolved again after a change."""
