"""Sessions, sockets, lifecycle; the MCP SDK lives here."""
