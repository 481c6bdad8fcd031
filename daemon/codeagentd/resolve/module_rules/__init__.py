"""From an import as written to files, one module per module system."""
