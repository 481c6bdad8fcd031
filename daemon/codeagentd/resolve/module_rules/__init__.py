"""Module rules: the files that an import refers to, one module per module system."""
