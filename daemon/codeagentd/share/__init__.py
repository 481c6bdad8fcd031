"""Facts and vectors that a team shares: a store of immutable packs, filled by `share push`, used by cold indexes."""
