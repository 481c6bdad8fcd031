"""Which files have to be resolved again after a change."""
