"""The memories and tasks of agents: operations on memory.db, which serves all repositories of a user."""
