"""What is done to a source before it is parsed: macros, conditional code, embedded languages."""
