"""The room that folders take on the disk, where files have several names."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

BLOCK_BYTES: Final = 512  # the unit of st_blocks


def folders_in(place: Path) -> Iterator[Path]:
    """Yield the folders in `place`; none where it cannot be read."""
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        yield from [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


def bytes_on_disk(place: Path, seen: set[tuple[int, int]]) -> int:
    """Return the bytes of the files below `place` that are not in `seen`, by device and inode; they are added to it."""
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            with contextlib.suppress(OSError):
                info = os.lstat(os.path.join(folder, name))
                if (info.st_dev, info.st_ino) not in seen:
                    seen.add((info.st_dev, info.st_ino))
                    total += _bytes_of(info)
    return total


def _bytes_of(info: os.stat_result) -> int:
    if sys.platform == "win32":
        return info.st_size
    return info.st_blocks * BLOCK_BYTES
