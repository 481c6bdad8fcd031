"""Memories that a team shares on a server: access, and what this machine does while the server is away."""
