"""Serving: sessions, sockets, lifecycle. The MCP SDK is imported only in this package."""
