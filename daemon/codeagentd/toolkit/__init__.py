"""Tools in general: declaration, schema, toolsets, answers."""
