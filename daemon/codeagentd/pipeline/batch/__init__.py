"""One batch of changed files: from facts to committed rows."""
