"""The syntax of types and expressions, as text, read for resolution."""
