"""Episodes and their lessons: attempts, their outcomes, and advice from the outputs of tools."""
