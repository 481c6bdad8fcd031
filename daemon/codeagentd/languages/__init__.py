"""Languages as data: one folder each, and the loader."""
