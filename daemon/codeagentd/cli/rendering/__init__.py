"""Answers as text for terminals: tables, snippets, colours, remedies."""
