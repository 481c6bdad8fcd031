"""Resolution of references to edges, with a confidence and an origin."""
