"""Completions: the names that may be written at a place of a document."""

from __future__ import annotations

from codeagentd.model.documents import Completion, DocumentText

from .document_resolver import DocumentResolver


def completions_at(resolver: DocumentResolver, text: DocumentText, line: int, column: int) -> list[Completion]:
    """Return the names that may be written at a place of a document, the nearest first."""
    return []
