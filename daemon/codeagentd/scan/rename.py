"""Detection of moved files: vanished and new paths are paired by equal content."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping


def match_moves(gone: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Return the moved files, {new path: old path}, each path at most once. `gone` and `new` are the digests of the
    content of vanished and new paths.

    Where one vanished and one new path have the same content, they are a pair. Of several, those that keep their file
    name are pairs, if that name is unique on both sides; then the rest, if it is one of each.
    """
    old_paths, new_paths = _by_digest(gone), _by_digest(new)
    moves: dict[str, str] = {}
    for digest, candidates in new_paths.items():
        moves |= _pairs(old_paths.get(digest, []), candidates)
    return moves


def _pairs(old: list[str], new: list[str]) -> dict[str, str]:
    """Return the moves among files of the same content."""
    moves = {}
    old_names, new_names = _by_name(old), _by_name(new)
    for name, paths in new_names.items():
        if len(paths) == 1 and len(old_names.get(name, ())) == 1:
            moves[paths[0]] = old_names[name][0]
    old_left = [path for path in old if path not in moves.values()]
    new_left = [path for path in new if path not in moves]
    if len(old_left) == len(new_left) == 1:
        moves[new_left[0]] = old_left[0]
    return moves


def _by_digest(paths: Mapping[str, bytes]) -> dict[bytes, list[str]]:
    groups = defaultdict(list)
    for path, digest in sorted(paths.items()):
        groups[digest].append(path)
    return groups


def _by_name(paths: list[str]) -> dict[str, list[str]]:
    groups = defaultdict(list)
    for path in paths:
        groups[path.rpartition("/")[2]].append(path)
    return groups
