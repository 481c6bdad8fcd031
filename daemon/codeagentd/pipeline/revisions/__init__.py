"""The index of other revisions: snapshots made by a process of their own."""
