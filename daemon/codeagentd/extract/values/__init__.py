"""Values: the types that initialisers, annotations, returns and patterns give to them."""
