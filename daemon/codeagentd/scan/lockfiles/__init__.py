"""Which versions of packages lock files name."""
