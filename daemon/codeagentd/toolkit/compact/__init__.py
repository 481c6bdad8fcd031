"""Compact answers: the form of answers for models, which pay for every token."""
