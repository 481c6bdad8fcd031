"""Keys, tokens and passwords in texts: how they are found, and taken out of what is kept or shown."""
