"""The worker processes that extract and resolve files, and the messages between them and the daemon."""
