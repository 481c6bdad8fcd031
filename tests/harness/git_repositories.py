"""Small git repositories, made with the real git."""

from __future__ import annotations

import subprocess
from pathlib import Path


def run(root: Path, *arguments: str) -> str:
    """Run git in a repository; its output without the last line end."""
    command = ["git", "-c", "gc.auto=0", "-c", "protocol.file.allow=always", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def write(root: Path, *paths: str) -> None:
    """Write files that contain their own names."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# {path}\n")


def repository(root: Path) -> Path:
    """A repository with a.py and src/b.py in one commit, on main."""
    root.mkdir()
    run(root, "init", "-q", "-b", "main")
    write(root, "a.py", "src/b.py")
    run(root, "add", "-A")
    run(root, "commit", "-qm", "first")
    return root


def linked(repo: Path) -> Path:
    """A linked work tree beside it, on a branch of its own."""
    tree = repo.parent / "linked"
    run(repo, "worktree", "add", "-q", "-b", "side", str(tree))
    return tree
