"""Several repositories as one workspace: its members, the packages that they provide to each other, and one graph over
their indexes.
"""
