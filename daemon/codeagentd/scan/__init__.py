"""Which files exist, and which changed."""
