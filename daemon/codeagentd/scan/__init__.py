"""The files of the repository, and their changes."""
