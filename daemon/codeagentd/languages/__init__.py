"""Languages as data: a folder for each language, and the loader of these folders."""
