"""The lines of a file of the repository, counted as the index counts them."""

from __future__ import annotations

from collections.abc import Sequence

from codeagent_protocol.errors import CodedError

from .limits import MAX_FILE_BYTES
from .paths import Jail
from .text import decode, is_binary


def lines_of(jail: Jail, path: str) -> Sequence[str]:
    """Return the lines of the file at `path` as it is on disk now; none for a file that is missing or is not text."""
    try:
        data = jail.read_bytes(path, MAX_FILE_BYTES)
    except CodedError:
        return ()
    return () if is_binary(data) else decode(data).replace("\r\n", "\n").split("\n")
