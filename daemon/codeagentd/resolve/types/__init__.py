"""Type inference: the types of expressions, members of types, and narrowing."""
