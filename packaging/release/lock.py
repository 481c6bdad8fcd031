"""The locked dependencies (`packaging/constraints.txt`): versions, where each is installed, hashes, who asks for it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

_ENTRY: Final = re.compile(r"([a-z0-9-]+)==(\S+)(?: ; (.+?))?(?: \\)?$")
_HASH: Final = re.compile(r"    --hash=sha256:([0-9a-f]{64})(?: \\)?$")
_VIA: Final = re.compile(r"    #(?: via)?\s+(\S+)")


class Locked(NamedTuple):
    """A release that is installed where `marker` holds ('': everywhere). `hashes`: SHA-256 of each of its files.
    `via`: the packages that ask for it, and files that do.
    """

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    via: tuple[str, ...]


def read(path: Path) -> list[Locked]:
    """Return the entries of a lock, in its order, as `make lock` writes it."""
    blocks: list[list[str]] = []
    for line in path.read_text().splitlines():
        if _ENTRY.match(line):
            blocks.append([line])
        elif blocks:
            blocks[-1].append(line)
    return [_locked(block) for block in blocks]


def _locked(block: list[str]) -> Locked:
    entry = _ENTRY.match(block[0])
    assert entry
    return Locked(entry[1], entry[2], entry[3] or "", _found(_HASH, block), _found(_VIA, block))


def _found(pattern: re.Pattern[str], lines: list[str]) -> tuple[str, ...]:
    return tuple(found[1] for line in lines if (found := pattern.match(line)))
