"""Rules for module names, one module per module system that takes more than a line."""
