"""Search in words: candidates, ranking, and snippets."""
