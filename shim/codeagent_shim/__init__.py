"""The stdio shim: carries MCP lines between one client and the repository's daemon."""
