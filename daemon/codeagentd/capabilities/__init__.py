"""What a client finds besides tools: resources, prompts, completions (page 002)."""
