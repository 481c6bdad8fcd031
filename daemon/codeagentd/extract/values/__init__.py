"""Values: the types of variables, fields and results, from their initialisers, annotations, returns and patterns."""
