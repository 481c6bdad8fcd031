"""The capabilities of the server besides tools: resources, prompts, completions (page 002)."""
