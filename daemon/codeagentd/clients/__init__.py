"""MCP clients: the configuration files of each client, and the edits that add our entry to them and remove it."""
