"""The definitions in a syntax tree: symbols, their kinds, signatures, scopes and flags."""
