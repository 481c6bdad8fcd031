"""References in a syntax tree: names that are read, written or called, with receivers and arguments."""
