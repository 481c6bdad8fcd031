"""The start of processes: the only package that composes the daemon's objects and reads the environment."""
