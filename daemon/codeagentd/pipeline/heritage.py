"""What the types of a file inherit, kept beside it: so that types are found whose bases mean something else since."""

from __future__ import annotations

from array import array
from collections.abc import Container, Iterable
from hashlib import blake2b

from codeagentd.resolve.names import Names
from codeagentd.store.connection import Database


def heritage(database: Database, names: Names, file: int) -> bytes:
    """Each type of a file that names bases, and a mark of what they are: numbers of 8 bytes, in pairs."""
    found = array("q")
    for (symbol,) in database.all("world.classes_of_file", (file,)):
        bases = names.inheritance.bases(names.world.symbol(symbol))
        found.extend((symbol, int.from_bytes(blake2b(repr(bases).encode(), digest_size=8).digest(), "big", signed=True)))
    return found.tobytes()


def rebased(database: Database, names: Names, files: Iterable[int], written: Container[int] = ()) -> set[int]:
    """Types in these files whose bases mean something else than when the files were resolved; new ones do not count in those that were just `written`."""
    found: set[int] = set()
    for file in files:
        before = _pairs(database.value("world.heritage", (file,)) or b"")
        now = _pairs(heritage(database, names, file))
        found.update(symbol for symbol, mark in now.items() if before.get(symbol, mark if file in written else None) != mark)
    return found


def _pairs(kept: bytes) -> dict[int, int]:
    numbers = memoryview(kept).cast("q")
    return dict(zip(numbers[::2], numbers[1::2], strict=True))
