"""The memories and tasks of agents: rules over memory.db, for all repositories of a user."""
