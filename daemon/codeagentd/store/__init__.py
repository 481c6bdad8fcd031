"""SQLite storage, the only package with SQL: one writer, a pool of readers."""
