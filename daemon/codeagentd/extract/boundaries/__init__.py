"""Where a file leaves its language or process: the engine that reads the tables languages/data/*/boundaries.toml."""
