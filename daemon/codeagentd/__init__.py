"""The daemon: one per repository, owner of its watcher, writer and index."""
