"""The indexing of one repository by many machines: shards of work, the store that they share, and engines."""
