"""Trying a change out: a throwaway tree, commands in it, and a process of its own that ends and removes all of it."""
