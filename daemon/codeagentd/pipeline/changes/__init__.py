"""Which files have changed, and what of that is still to be indexed."""
