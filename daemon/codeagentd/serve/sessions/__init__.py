"""Client sessions: the connected windows, the process of each, and its requests in order."""
