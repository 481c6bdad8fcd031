"""Questions about types: supertypes, subtypes, implementations, overrides."""
