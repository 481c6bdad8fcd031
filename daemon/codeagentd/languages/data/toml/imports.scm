; No file of TOML leads to another.
