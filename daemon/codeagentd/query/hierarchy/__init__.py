"""Queries about types: supertypes, subtypes, implementations, overrides."""
