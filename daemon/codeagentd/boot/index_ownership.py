"""The ownership of an index folder in the cache: a record beside the index names its repository. It shows when a
worktree was created again, or when another repository has taken its path.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint, endpoint_at
from codeagentd.base.paths import read_regular
from codeagentd.vcs import git

RECORD: Final = "worktree.json"
MAX_RECORD_BYTES: Final = 100_000  # a record has a few paths; a longer file is no record


class IndexOwner(msgspec.Struct, frozen=True):
    """A worktree as its daemon saw it. `repository`: the folder of its blobs.db; `git`: its own git directory, ''
    without one; `mount`: the mount point above it; `head`: the commit that was checked out; `life_lock`: the path of
    its daemon's lock; `seen`: unix seconds.
    """

    root: str = ""
    repository: str = ""
    git: str = ""
    mount: str = ""
    device: int = 0
    inode: int = 0
    head: str = ""
    life_lock: str = ""
    seen: float = 0.0


class ClaimedIndex(NamedTuple):
    """The findings of a daemon that starts on an index folder. `is_new`: the worktree was created again since the last
    daemon, so that sizes and times of its files prove nothing. `siblings`: if it has no index yet, the index.db of the
    repository's other worktrees, the most recently used first.
    """

    is_new: bool = False
    siblings: tuple[Path, ...] = ()


def repository_of(root: Path) -> str:
    """Return the name of the folder of blobs.db: a repository has one, shared by its worktrees."""
    return endpoint_at(git.common_dir(root) or root).name


def blobs_of(endpoint: Endpoint) -> Path:
    """Return the directory of blobs.db: one per repository, shared by its worktrees."""
    return dirs.cache_dir() / "repositories" / repository_of(Path(endpoint.root))


def databases_of(endpoint: Endpoint) -> tuple[Path, Path]:
    """Return the files of the index and of the facts that this version uses. Errors: engine_unavailable where other
    users could have exchanged them, or the file of memories.
    """
    from codeagentd.store.opening import own

    dirs.check_trusted_directories()
    databases = own(endpoint.index / "index.db", "index"), own(blobs_of(endpoint) / "blobs.db", "blobs")
    for path in databases:
        dirs.check_path(str(path))
    return databases


def owner_of(endpoint: Endpoint, now: float | None = None) -> IndexOwner:
    """Return the record of the worktree of `endpoint` in its present state."""
    root = Path(endpoint.root)
    status = os.stat(root)
    return IndexOwner(
        endpoint.root, repository_of(root), str(git.git_dir(root) or ""), mount_of(root), status.st_dev, status.st_ino,
        git.head(root), endpoint.life_lock, time.time() if now is None else now,
    )  # fmt: skip


def mount_of(place: Path) -> str:
    """Return the mount point above `place`."""
    return next((str(folder) for folder in (place, *place.parents) if os.path.ismount(folder)), os.sep)


def recorded(folder: Path) -> IndexOwner | None:
    """Return the owner of the index in `folder`; None where no record names one."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(read_regular(folder / RECORD, MAX_RECORD_BYTES) or b"", type=IndexOwner)
    return None


def claim(endpoint: Endpoint) -> ClaimedIndex:
    """Claim the folder of the index of `endpoint`: remove the files of another repository, and write the new owner into
    the record. Returns the findings about the index that was there.

    It is still the same repository if it has the commit that was checked out then; without commits, if its folder is
    the same.
    """
    owner, before = owner_of(endpoint), recorded(endpoint.index)
    is_new = before is not None and (before.device, before.inode) != (owner.device, owner.inode)
    if before is not None and not _is_same(before, owner, is_new=is_new):
        shutil.rmtree(endpoint.index, ignore_errors=True)
    elif is_new:
        _remove_if_several(endpoint.index)
    dirs.make_private(str(endpoint.index))
    write(endpoint.index, owner)
    return ClaimedIndex(is_new, tuple(_siblings(endpoint, owner)))


def write(folder: Path, owner: IndexOwner) -> None:
    """Write `owner` as the record into `folder`; on a full disk the old one stays."""
    part = folder / f".{RECORD}.{os.getpid()}"
    with contextlib.suppress(OSError):
        part.write_bytes(msgspec.json.encode(owner))
        part.replace(folder / RECORD)


def _is_same(before: IndexOwner, owner: IndexOwner, *, is_new: bool) -> bool:
    if bool(before.git) != bool(owner.git) or not before.head:
        return not is_new
    return git.has_commit(Path(owner.root), before.head)


def _remove_if_several(folder: Path) -> None:
    """Remove the indexes of all versions if there are several: otherwise only one of them would record that the files'
    times cannot be trusted.
    """
    from codeagentd.store.opening import own

    index = folder / "index.db"
    if own(index, "index") != index or any(folder.glob("index.v*.db")):
        for file in folder.glob("index*.db*"):
            file.unlink(missing_ok=True)


def _siblings(endpoint: Endpoint, owner: IndexOwner) -> list[Path]:
    """The indexes of the repository's other worktrees that are of this version or older. Empty if the worktree has an
    index already, since each sibling would have to be opened.
    """
    from codeagentd.store.opening import own

    if own(endpoint.index / "index.db", "index").exists():
        return []
    folders = [folder for folder in endpoint.index.parent.iterdir() if folder != endpoint.index]
    indexes = [
        own(folder / "index.db", "index")
        for folder in folders
        if (sibling := recorded(folder)) and sibling.repository == owner.repository
    ]
    return sorted(
        (index for index in indexes if index.is_file()), key=lambda index: index.stat().st_mtime, reverse=True
    )
