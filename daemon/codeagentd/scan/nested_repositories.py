"""Repositories inside of folders that git ignores, which no listing of files shows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from codeagentd.base.limits import MAX_IGNORED_FOLDERS

DEPTH: Final = 2  # folders below an ignored one: checkouts lie in it (.worktrees/NAME) or in one for each owner
_CACHES: Final = frozenset(("node_modules", ".venv", "venv", "__pycache__", ".git", ".tox", ".mypy_cache"))


def repositories_below(root: Path, folders: Iterable[str]) -> list[str]:
    """Return the repositories at and in the folders `folders`, paths relative to `root`, at most DEPTH levels deep.
    Links are not followed; folders of package managers are left out; no more than MAX_IGNORED_FOLDERS are looked at.
    """
    found: list[str] = []
    level = [folder.rstrip("/") for folder in folders]
    looked_at = 0
    for depth in range(DEPTH + 1):
        below: list[str] = []
        for folder in level:
            if looked_at >= MAX_IGNORED_FOLDERS:
                return found
            if folder.rpartition("/")[2] in _CACHES:
                continue
            looked_at += 1
            if os.path.lexists(root / folder / ".git"):
                found.append(folder)
            elif depth < DEPTH:
                below += _folders_in(root, folder)
        level = below
    return found


def _folders_in(root: Path, folder: str) -> list[str]:
    try:
        with os.scandir(root / folder) as entries:
            return [f"{folder}/{entry.name}" for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
