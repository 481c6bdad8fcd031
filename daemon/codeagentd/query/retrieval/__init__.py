"""Search in words: candidates, ranking, and the snippets that answer."""
