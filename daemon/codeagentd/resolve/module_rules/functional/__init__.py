"""Module rules of functional languages."""
