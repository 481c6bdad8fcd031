"""How commands reach the daemon: its status, its control channel, and waiting with progress."""
