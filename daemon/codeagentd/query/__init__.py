"""Queries over the store: no transport, no MCP."""
