"""The commands' access to the daemon: its status, its control channel, and waiting with progress."""
