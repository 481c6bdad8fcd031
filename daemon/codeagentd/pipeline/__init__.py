"""The indexing pipeline: from changed files to committed rows, references and vectors."""
