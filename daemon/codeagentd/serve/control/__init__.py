"""The control channel of the daemon: status, stop, reload and other commands of this user."""
