"""Where the stages meet: plan, run, refresh."""
