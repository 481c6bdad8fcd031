"""The versions of packages that lock files name."""
