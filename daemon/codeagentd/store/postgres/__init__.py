"""Memories and tasks on a PostgreSQL server that a team shares; only this package knows psycopg."""
