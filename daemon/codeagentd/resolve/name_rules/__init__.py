"""Name rules: lookup of names beyond their file, one module per language or family with rules of its own."""
