"""Which files were moved: pure matching of what is gone with what is new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping


def match_moves(gone: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """New path -> old path of files that were moved: equal digests, by file name where several are equal."""
    by_digest: dict[bytes, list[str]] = defaultdict(list)
    for path, digest in gone.items():
        if digest:
            by_digest[digest].append(path)
    moves = {}
    for path in sorted(new):
        candidates = by_digest.get(new[path], [])
        same_name = [old for old in candidates if old.rpartition("/")[2] == path.rpartition("/")[2]]
        best = same_name[0] if len(same_name) == 1 else candidates[0] if len(candidates) == 1 else ""
        if best:
            moves[path] = best
            candidates.remove(best)
    return moves
