"""What agents keep and what they work on: rules over memory.db, for all repositories of a user."""
