"""Episodes and their lessons: attempts, their outcomes, and advice drawn from the outputs of tools."""
