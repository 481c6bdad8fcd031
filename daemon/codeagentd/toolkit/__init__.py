"""What a tool is: declaration, schema, toolsets, answers."""
