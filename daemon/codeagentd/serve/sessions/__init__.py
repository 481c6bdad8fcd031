"""Client sessions: who is connected, the process behind each, and its requests in order."""
