"""index_file's answer. Optional fields are left out at their default."""

from __future__ import annotations

from .memory import AnswerValue


class IndexedFile(AnswerValue, frozen=True):
    """How many pieces a file has as memories, and what became of them.

    `skipped`: nothing changed since the last time.
    """

    file_path: str
    language: str = ""
    chunks: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    retired: int = 0
    file_hash: str = ""
    skipped: bool = False
    note: str = ""
