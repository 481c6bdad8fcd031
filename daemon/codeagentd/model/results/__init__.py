"""The types of the answers of tools."""
