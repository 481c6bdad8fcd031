"""Safe writing of files: completely or not at all, and never over a file that another program wrote."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import InvalidParameter

MARK: Final = "codeagentd report"  # the mark at the beginning of every file that this program writes
LOOKED_AT: Final = 500  # bytes in which the mark is searched


def check(place: Path, *, force: bool) -> None:
    """Check that a file may be written at `place`: the path is free, or its file is of this program, or `force` is set.

    Errors: invalid_parameter.
    """
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise InvalidParameter(f"{place}: {error.strerror}", remedy="name another directory with --output") from None
    if not stat.S_ISREG(mode):
        raise InvalidParameter(
            f"{place} is no plain file", remedy="move it away, or name another directory with --output"
        )
    if not force and not _is_ours(place):
        raise InvalidParameter(
            f"{place} was not written by this command",
            remedy="pass --force to replace it, or name another directory with --output",
        )


def _is_ours(place: Path) -> bool:
    try:
        with place.open("rb") as file:
            return MARK.encode() in file.read(LOOKED_AT)
    except OSError:
        return False


def write(place: Path, pieces: Iterable[bytes]) -> int:
    """Write `pieces` to a temporary file in the folder of `place`, and rename it to `place` when it is complete.

    Returns its size in bytes. Errors: invalid_parameter.
    """
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        with unfinished.open("xb") as file:
            file.writelines(pieces)
            size = file.tell()
        os.replace(unfinished, place)
    except OSError as error:
        raise InvalidParameter(
            f"{place} cannot be written: {error.strerror}", remedy="name another directory with --output"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink()
    return size
