"""The service managers that can keep a daemon running: the files that they read, and the commands for them."""
