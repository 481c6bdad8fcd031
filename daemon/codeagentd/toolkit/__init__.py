"""The framework of tools: declaration, schema, toolsets, answers."""
