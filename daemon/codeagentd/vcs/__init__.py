"""What git knows."""
