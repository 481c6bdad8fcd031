"""What files are called, one module per module system with more to say than a line."""
