"""The answer of index_file. Optional fields are left out at their default."""

from __future__ import annotations

from .memory import AnswerValue


class IndexedFile(AnswerValue, frozen=True):
    """The number of pieces that a file has as memories, and how many of them were created, updated, unchanged and
    retired.

    `skipped`: the file did not change since the last time.
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
