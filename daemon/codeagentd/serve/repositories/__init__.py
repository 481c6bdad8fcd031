"""Many repositories in one server, read only and by revision: their names, users, open indexes and calls."""
