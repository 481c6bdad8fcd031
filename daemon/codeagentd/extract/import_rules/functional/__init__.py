"""Import rules of functional languages."""
