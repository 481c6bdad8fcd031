"""The service managers that can keep a daemon: which files they read, and what they are told."""
