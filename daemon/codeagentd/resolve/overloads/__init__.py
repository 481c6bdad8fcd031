"""Overload resolution: the choice among several functions of one name for a call."""
