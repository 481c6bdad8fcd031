"""MCP clients: where each keeps its configuration, and how our entry gets into it and out again."""
