"""Which files does a change of a name concern, in a language in which names are all that is known?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness.small_index import Change, assert_affects, edit, replaced

COLUMNS = ("files", "change", "affected")

NIM = """
    === shelf.nim
    proc lend(days: int): int =
      days
    === desk.nim
    proc serve(): int =
      lend(3)
    === door.nim
    proc open(): int =
      enter(3)
    """

EDITS = [
    edit("nim", "a definition goes", NIM, replaced("shelf.nim", "lend", "give"), "desk.nim"),
    edit("nim", "a definition comes", NIM, replaced("shelf.nim", "lend", "enter"), "desk.nim door.nim"),
    edit("nim", "a second definition comes", NIM, replaced("door.nim", "open", "lend"), "desk.nim"),
    edit("nim", "a body changes", NIM, replaced("shelf.nim", "  days", "  days + 1"), ""),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, EDITS)
def test_a_name_concerns_the_files_that_mention_it(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]
) -> None:
    assert_affects(tmp_path, files, change, affected)
