"""How names are looked up beyond their file, one module per language or family whose rules are its own."""
