"""Keys, tokens and passwords in texts: their detection, and their removal from what is stored or shown."""
