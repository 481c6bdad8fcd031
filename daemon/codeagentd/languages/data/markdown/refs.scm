; Nothing in prose is a name.
