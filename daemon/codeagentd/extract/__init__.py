"""Bytes to FileFacts: symbols and references."""
