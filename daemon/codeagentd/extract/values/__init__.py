"""What the syntax says about the types of values: initialisers, annotations, returns, patterns."""
