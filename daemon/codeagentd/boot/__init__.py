"""The only place that builds objects and reads the environment."""
