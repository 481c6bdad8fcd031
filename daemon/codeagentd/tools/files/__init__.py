"""Toolset files: directories and file contents, within the repository."""
