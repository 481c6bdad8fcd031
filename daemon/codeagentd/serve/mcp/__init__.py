"""The MCP protocol: requests with and without the SDK, tool calls, progress and notifications."""
