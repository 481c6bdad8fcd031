"""Toolset lens: symbol lookup for editors, in the shapes of page 001."""
