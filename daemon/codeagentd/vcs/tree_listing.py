"""The listing of a commit's whole tree, with an end: a tree of a few objects can stand for more files than any disk
holds.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, NamedTuple

from codeagentd.base.host_load import KILL
from codeagentd.base.limits import GIT_HISTORY_DEADLINE_S

from .git import HARMLESS, environment_of, limit_memory
from .repository_source import Unusable

MAX_ENTRIES: Final = 1_000_000  # files of one commit; Chromium has 500,000
CHUNK_BYTES: Final = 1 << 20
REGULAR: Final = frozenset({"100644", "100755"})


class Entry(NamedTuple):
    """An entry of a tree: its mode as git writes it, its object id, and its size in bytes (0 for a submodule)."""

    mode: str
    oid: str
    size: int

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, neither a link nor a submodule."""
        return self.mode in REGULAR


def list_tree(root: Path, commit: str, most: int = MAX_ENTRIES) -> dict[str, Entry]:
    """Return every entry of `commit` by its path, as the tree has it. Errors: Unusable, also for more entries than
    `most`.
    """
    command = ("git", *HARMLESS, "-C", str(root), "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment_of()
        )
    except OSError as error:
        raise Unusable(f"git cannot be run: {error.strerror}") from error
    limit_memory(process.pid)
    timer = threading.Timer(GIT_HISTORY_DEADLINE_S, process.kill)
    timer.daemon = True
    timer.start()
    result: dict[str, Entry] = {}
    assert process.stdout is not None
    try:
        for record in _records(process.stdout):
            head, _, path = record.partition(b"\t")
            mode, _, oid, size = head.decode("ascii", "replace").split()
            result[os.fsdecode(path)] = Entry(mode, oid, int(size) if size.isdigit() else 0)
            if len(result) > most:
                process.kill()
                raise Unusable(f"commit {commit[:12]} has more than {most:,} files")
    finally:
        process.stdout.close()
        process.wait()
        timer.cancel()
    if process.returncode == -KILL:
        raise Unusable(f"git did not list the files of commit {commit[:12]} within {GIT_HISTORY_DEADLINE_S:g} s")
    if process.returncode:
        raise Unusable(f"git does not list the files of commit {commit[:12]}: objects of it are missing or damaged")
    return result


def _records(pipe: IO[bytes]) -> Iterator[bytes]:
    """The records that end in a null byte."""
    rest = b""
    while data := pipe.read(CHUNK_BYTES):
        *records, rest = (rest + data).split(b"\0")
        yield from records
