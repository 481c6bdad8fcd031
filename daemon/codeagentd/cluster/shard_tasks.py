"""The tasks of an engine: a shard to extract or to resolve, as bytes that any machine can perform."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import threading
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagentd.model.namespace_macros import Opening
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.share.opening import open_store
from codeagentd.share.store import Store
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable
from codeagentd.vcs import git

from .build_identity import Build, check_build
from .checked_store import CheckedStore
from .extract_shard import OTHER, ExtractReport, extract_files
from .file_listing import ListedFile
from .link_shard import LinkReport, Unit, link_units, units_of
from .link_snapshot import SnapshotHead, alone, fetch, files_to_link, head_of, remove_unused
from .portions import Portion


class ExtractTask(msgspec.Struct, array_like=True, frozen=True, tag=1):
    """Portions to extract from the checkout at `root`, which has to be at `commit` ('' without one)."""

    store: str
    build: Build
    root: str
    commit: str
    deadline_s: float
    max_file_bytes: int
    openings: dict[str, Opening]
    portions: list[list[ListedFile]]


class LinkTask(msgspec.Struct, array_like=True, frozen=True, tag=2):
    """Units of a snapshot to resolve, from `first` up to `last`."""

    store: str
    build: Build
    snapshot: str
    first: int
    last: int
    deadline_s: float


class Refusal(msgspec.Struct, frozen=True, tag="refused"):
    """The error that a task ended with, as CodedError has it, and the machine."""

    code: str
    message: str
    remedy: str
    host: str

    def error(self) -> CodedError:
        """Return the error, with the name of the machine."""
        return CodedError(f"{self.message} (on {self.host})", code=self.code, remedy=self.remedy, host=self.host)


Task = ExtractTask | LinkTask
Report = ExtractReport | LinkReport
ONE_WORKER: Final = 1  # process a task: the engine starts as many tasks as there are cores

_encoder: Final = msgspec.msgpack.Encoder()
_tasks: Final = msgspec.msgpack.Decoder(Task)
_answers: Final = msgspec.msgpack.Decoder(ExtractReport | LinkReport | Refusal)

_pools: dict[int, tuple[tuple[object, ...], Pool]] = {}  # by thread: the arguments of its pool, and the pool


def encode_task(task: Task) -> bytes:
    """Return `task` as bytes."""
    return _encoder.encode(task)


def report_of(answer: bytes) -> Report:
    """Return the report in the answer to a task. Errors: the one that the task ended with."""
    decoded: Report | Refusal = _answers.decode(answer)
    if isinstance(decoded, Refusal):
        raise decoded.error()
    return decoded


def perform(task: bytes) -> bytes:
    """Perform an encoded task and return its answer. An error that another attempt would meet again is an answer too;
    the engine repeats what fails otherwise.
    """
    try:
        decoded = _tasks.decode(task)
        check_build(decoded.build)
        report = _extract(decoded) if isinstance(decoded, ExtractTask) else _link(decoded)
    except msgspec.MsgspecError:
        error: CodedError = EngineUnavailable(
            "a task of another build of codeagentd", remedy="install the same version on all machines"
        )
    except CodedError as raised:
        error = raised
    else:
        return _encoder.encode(report)
    return _encoder.encode(Refusal(error.code, error.message, error.remedy, _host()))


def release(snapshot: str = "") -> None:
    """End the worker processes of this process, and remove the files of `snapshot` from this machine."""
    while _pools:
        _pools.popitem()[1][1].reap()
    _snapshot.cache_clear()
    if snapshot:
        shutil.rmtree(_folder(f"snapshots/{snapshot}"), ignore_errors=True)


def _extract(task: ExtractTask) -> ExtractReport:
    root = Path(task.root)
    _check_tree(root, task.commit)
    folder = _folder("extract")
    pool = _pool(root, folder / "index.db", _facts_in(folder), ONE_WORKER, task.deadline_s, task.max_file_bytes)
    report = extract_files([Portion(files) for files in task.portions], task.openings, pool, _store(task.store))
    if others := [path for path, reason in report.reasons.items() if reason == OTHER]:
        raise EngineUnavailable(
            f"{others[0]} differs from the coordinator's"
            + (f", as do {len(others) - 1} other files" if len(others) > 1 else ""),
            remedy=f"make {root} a clean checkout of {task.commit or 'the same files'}",
        )
    return report


def _check_tree(root: Path, commit: str) -> None:
    """Check that the checkout is at the coordinator's commit; what its files contain is checked while they are read."""
    if not root.is_dir():
        raise EngineUnavailable(f"there is no folder {root}", remedy="pass the checkout's path with --worker-repo")
    if commit and (here := git.head(root)) != commit:
        raise EngineUnavailable(
            f"{root} is at commit {here or 'none'}; the coordinator is at {commit}",
            remedy=f"run `git -C {root} checkout --detach {commit}` there",
        )


def _link(task: LinkTask) -> LinkReport:
    head, folder, units = _snapshot(task.store, task.snapshot)
    os.utime(folder)  # see remove_unused
    blobs = _facts_in(folder)

    def make_pool() -> Pool:
        return _pool(folder, folder / "index.db", blobs, ONE_WORKER, task.deadline_s)

    return link_units(units[task.first : task.last], task.snapshot, head, blobs, make_pool, _store(task.store))


@functools.lru_cache(maxsize=1)
def _snapshot(url: str, name: str) -> tuple[SnapshotHead, Path, list[Unit]]:
    """Return a snapshot: what it is, the folder of its files on this machine, and its units."""
    store = _store(url)
    head = head_of(store, name)
    folder = _folder(f"snapshots/{name}")
    remove_unused(folder.parent)
    with closing(Database(fetch(store, name, head, folder))) as database:
        return head, folder, units_of(files_to_link(database))


@functools.lru_cache(maxsize=1)
def _store(url: str) -> Store:
    return CheckedStore(open_store(url))


def _pool(*arguments: Any) -> Pool:
    """Return this thread's pool with these arguments, which its next task with the same ones uses too: to start a
    worker, and to read an index, takes longer than many a shard.
    """
    thread = threading.get_ident()
    before = _pools.get(thread)
    if before is not None and before[0] == arguments:
        return before[1]
    if before is not None:
        before[1].reap()
    pool: Pool = Pool(*arguments)
    _pools[thread] = (arguments, pool)
    return pool


def _facts_in(folder: Path) -> Path:
    """Return the path of the facts in `folder`. Only one process may create that database."""
    blobs = folder / "blobs.db"
    with alone(folder):
        open_disposable(blobs, "blobs")[0].close()
    return blobs


def _folder(name: str) -> Path:
    """Return a private folder for what this machine's tasks share."""
    folder = dirs.cache_dir() / "cluster" / name
    dirs.make_private(str(folder))
    return folder


def _host() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "another machine")


atexit.register(release)
