"""The analysis of documents: texts as editors have them, resolved against the index of the repository."""
