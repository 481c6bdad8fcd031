"""The first minute: an installation that lasts, clients, index and a first answer; and the removal of all of it."""
