"""Trying out a change: a throwaway tree, commands that run in it, and a separate process that ends and removes all of
it.
"""
