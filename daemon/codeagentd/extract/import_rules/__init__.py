"""Import and export statements, one module per shape of module system."""
