"""What was tried, what came of it, and what that teaches: episodes, from the outputs of tools to advice."""
