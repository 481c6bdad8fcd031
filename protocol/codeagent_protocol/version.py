"""The product's version and the wire protocol's number."""

__version__ = "0.1.0"

PROTOCOL = 1
