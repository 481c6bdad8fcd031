"""SHA256SUMS, in the form that `sha256sum --check` reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

NAME: Final = "SHA256SUMS"


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(folder: Path, files: Iterable[Path]) -> Path:
    """Write the checksums of `files`, which lie in `folder`, sorted by name. Returns the path of the list."""
    lines = [f"{sha256(path)}  {path.name}\n" for path in sorted(files)]
    listed = folder / NAME
    listed.write_text("".join(lines))
    return listed


def names(folder: Path) -> set[str]:
    """Return the names of the files that the list in `folder` has, and its own; none without a list."""
    listed = folder / NAME
    if not listed.is_file():
        return set()
    return {NAME} | {line.split("  ", 1)[1] for line in listed.read_text().splitlines()}
