"""The file watcher: events of the operating system, reported as changes of the repository."""
