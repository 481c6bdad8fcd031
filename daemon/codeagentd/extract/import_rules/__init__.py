"""Import and export statements, one module for each kind of module system."""
