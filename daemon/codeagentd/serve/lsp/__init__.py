"""The sessions of editors: the Language Server Protocol over the same socket as MCP."""
