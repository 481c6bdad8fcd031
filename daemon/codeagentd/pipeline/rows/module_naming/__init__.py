"""Rules for module names, one module per module system whose rule takes more than a line."""
