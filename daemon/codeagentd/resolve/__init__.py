"""References to edges, with a confidence and an origin."""
