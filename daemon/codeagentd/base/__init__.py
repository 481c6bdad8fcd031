"""What every layer may use: limits, paths, text, clock, log."""
