"""The control channel of the daemon: status, stop, reload, for commands of this user."""
