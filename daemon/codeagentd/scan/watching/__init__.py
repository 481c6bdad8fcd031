"""The file watcher: what the operating system reports, as changes of the repository."""
