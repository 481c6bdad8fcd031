"""Several repositories as one workspace: which belong to it, what they provide to each other, and one graph over their
indexes.
"""
