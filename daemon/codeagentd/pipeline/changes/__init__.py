"""Changed files, and what of them is still to be indexed."""
