"""Changed files: the queue of changes, their scan, and the plan of a batch."""
