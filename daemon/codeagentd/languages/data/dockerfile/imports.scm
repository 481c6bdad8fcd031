; Images come from registries, not from files.
