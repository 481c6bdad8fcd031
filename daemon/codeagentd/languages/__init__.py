"""Languages as data: a folder for each, and their loader."""
