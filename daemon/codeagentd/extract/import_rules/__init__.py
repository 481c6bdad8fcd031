"""Import and export statements, one module for each shape of module system."""
