"""Overload resolution: which of several functions of one name a call means."""
