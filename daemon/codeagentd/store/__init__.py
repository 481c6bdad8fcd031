"""The only home of SQL: one writer, a reader pool."""
