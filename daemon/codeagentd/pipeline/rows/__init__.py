"""Facts as database rows: module names, projects, symbol rows, and the symbol table read back from them."""
