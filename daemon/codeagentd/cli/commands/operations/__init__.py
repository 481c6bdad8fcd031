"""The commands about the daemon and its index: start, stop, status, logs, settings, checks."""
