"""The index of other revisions: snapshots made by a separate process."""
