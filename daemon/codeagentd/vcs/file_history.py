"""The last commits that changed a file."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import GIT_QUICK_DEADLINE_S

from .git import ask

_FORM: Final = "--format=%H%x00%ct%x00%an%x00%s"


class Commit(NamedTuple):
    """One commit: its id, its time in unix seconds, its author's name and the first line of its message."""

    id: str
    at: float
    author: str
    subject: str


def commits_of(root: Path, path: str, count: int) -> list[Commit]:
    """Return the last `count` commits that changed the file at `path`, the newest first; none where git does not answer
    in time.
    """
    output = ask(
        root, "log", f"--max-count={count}", "--no-show-signature", "--no-color", _FORM, "HEAD", "--",
        f":(literal){path}", deadline_s=GIT_QUICK_DEADLINE_S,
    )  # fmt: skip
    lines = (output or b"").decode("utf-8", "replace").split("\n")
    fields = [line.split("\0") for line in lines if line.count("\0") == 3]
    return [Commit(oid, float(at), author, subject) for oid, at, author, subject in fields]
