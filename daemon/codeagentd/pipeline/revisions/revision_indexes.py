"""The indexes of commits on the disk: each is built once, by a process of its own, and stays until its room is needed.

repositories/NAME/blobs                  the facts of all its files, shared by its commits
repositories/NAME/revisions/COMMIT       files/, git/, index/ and, once it is whole, ready.json
"""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.version import __version__
from codeagentd.base.child_process import ChildProcess
from codeagentd.base.log import EventLog
from codeagentd.base.paths import read_regular
from codeagentd.model.revision_build import BuildDone, BuildFailed, BuildMessage, BuildOrder, BuildProgress, BuildUsable

from .disk_usage import bytes_on_disk, folders_in
from .layout import LAID_OUT, Layout

READY: Final = "ready.json"
MAX_READY_BYTES: Final = 10_000
MAX_BUILDS: Final = 2  # at once, where there are so many processors: each has as many workers as the settings say
MAX_QUEUED: Final = 64  # builds that wait
MAX_WAITING: Final = 8  # requests that wait for an index at once: each holds a thread of those that answer
RETRY_S: Final = 2  # seconds after which a client is told to ask again
FAILED_S: Final = 15.0  # seconds for which a failed build is not tried again
FAILED_FOR_GOOD_S: Final = 600.0  # and one that can only fail again
RECENT_S: Final = 60.0  # seconds since its last use for which an index is not removed: a call may be about to open it
GONE: Final = ".gone-"  # begins the names of folders that are being removed
WAITING: Final = BuildProgress("waiting")

_log = EventLog(__name__)
Started = Callable[[], ChildProcess]
Key = tuple[str, str]  # the name of the repository, the commit


class Ready(msgspec.Struct, frozen=True):
    """What is recorded of an index that is whole."""

    version: str
    files: int = 0
    symbols: int = 0
    written: int = 0
    seconds: float = 0.0


class BuildState(NamedTuple):
    """A build that waits or runs, for status."""

    name: str
    commit: str
    progress: BuildProgress


class _Build:
    """One build, from the request until its end."""

    def __init__(self, name: str, commit: str, root: Path) -> None:
        self.name = name
        self.commit = commit
        self.root = root
        self.progress = WAITING
        self.error: CodedError | None = None
        self.usable = threading.Event()  # the index answers, or the build has ended
        self.answers = False  # the index answers, whatever becomes of its text and graph
        self.process: ChildProcess | None = None


class RevisionIndexes:
    """The indexes of all repositories of a server. Thread-safe. `place`: the folder for them, of this server alone;
    `start` starts the process that builds one.
    """

    def __init__(self, place: Path, start: Started, most_builds: int = 0) -> None:
        self._place = place
        self._start = start
        self._most = most_builds or max(1, min(MAX_BUILDS, (os.cpu_count() or 1) // 2))
        self._lock = threading.Lock()
        self._builds: dict[Key, _Build] = {}
        self._queue: deque[_Build] = deque()
        self._running = 0
        self._failed: dict[Key, tuple[CodedError, float]] = {}
        self._ready: dict[Key, Ready] = {}
        self._waiting = threading.Semaphore(MAX_WAITING)
        self._is_closed = False
        self.built = self.failures = 0
        self.on_built: Callable[[], None] = lambda: None

    # -- from any thread

    def layout_of(self, name: str, commit: str) -> Layout:
        """Return where the index of `commit` of the repository `name` is, or would be."""
        return Layout(self._folder(name) / "revisions" / commit, name.rpartition("/")[2], commit)

    def blobs_of(self, name: str) -> Path:
        """Return the folder of the facts of the files of the repository `name`."""
        return self._folder(name) / "blobs"

    def is_ready(self, name: str, commit: str) -> bool:
        """Whether the index of `commit` is whole."""
        return self._known(name, commit) is not None

    def obtain(self, name: str, commit: str, root: Path, patience_s: float) -> Layout:
        """Return the index of `commit` of the repository `name`, whose folder is `root`. It is built if there is none;
        that it answers is waited for, at most `patience_s`. Its text and the analysis of the graph may come later.

        Errors: engine_unavailable with `retry_after` (seconds) and `progress`; index_error for a build that failed.
        """
        layout = self.layout_of(name, commit)
        if self._known(name, commit):
            _touch(layout)
            return layout
        build = self._request(name, commit, root)
        if self._waiting.acquire(blocking=False):
            try:
                build.usable.wait(patience_s)
            finally:
                self._waiting.release()
        if not build.usable.is_set():
            raise _not_yet(build)
        if build.error and not build.answers:
            raise build.error
        return layout

    def is_building(self, name: str, commit: str) -> bool:
        """Whether the index of `commit` is being built, or made whole."""
        return (name, commit) in self._builds

    def discard(self, name: str, commit: str) -> None:
        """Take the index of `commit` for none, because it is damaged: the next request has it built again."""
        _log.warning("an index is damaged", repository=name, commit=commit)
        self._ready.pop((name, commit), None)
        for mark in (READY, LAID_OUT):
            with contextlib.suppress(OSError):
                (self.layout_of(name, commit).place / mark).unlink(missing_ok=True)

    def progress_of(self, name: str, commit: str) -> BuildProgress:
        """Return the progress of the build of `commit`; that of nothing where none runs."""
        build = self._builds.get((name, commit))
        return build.progress if build else BuildProgress("idle")

    def builds(self) -> list[BuildState]:
        """Return the builds that wait or run."""
        with self._lock:
            return [BuildState(build.name, build.commit, build.progress) for build in self._builds.values()]

    def indexed(self, name: str) -> list[str]:
        """Return the commits of the repository `name` that have an index, the last used first."""
        places = self._folder(name) / "revisions"
        dated: list[tuple[float, str]] = []
        with contextlib.suppress(OSError), os.scandir(places) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and self._known(name, entry.name):
                    with contextlib.suppress(OSError):
                        dated.append((os.stat(os.path.join(entry.path, READY)).st_mtime, entry.name))
        return [commit for _, commit in sorted(dated, reverse=True)]

    def close(self) -> None:
        """End all builds; what they have made is gone on with the next time."""
        with self._lock:
            self._is_closed = True
            builds, self._queue = list(self._builds.values()), deque()
        for build in builds:
            # first, so that whoever waits is not told that the process has ended
            build.error = build.error or EngineUnavailable("the server is leaving", remedy="ask again in a moment")
            build.usable.set()
            if build.process:
                with contextlib.suppress(OSError):
                    build.process.kill()

    # -- builds

    def _request(self, name: str, commit: str, root: Path) -> _Build:
        """Return the build of this index; begin it if there is none. Errors: engine_unavailable, index_error."""
        key = (name, commit)
        with self._lock:
            if build := self._builds.get(key):
                return build
            error, until = self._failed.get(key, (None, 0.0))
            if error and until > time.monotonic():
                raise error
            self._failed.pop(key, None)
            if self._is_closed or len(self._queue) >= MAX_QUEUED:
                raise EngineUnavailable(
                    f"{MAX_QUEUED} indexes wait to be built already", remedy="ask again later", retry_after=10 * RETRY_S
                )
            build = self._builds[key] = _Build(name, commit, root)
            self._queue.append(build)
            if self._running < self._most:
                self._running += 1
                threading.Thread(target=self._work, name="index builds", daemon=True).start()
            return build

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._queue:
                    self._running -= 1
                    return
                build = self._queue.popleft()
            self._run(build)

    def _run(self, build: _Build) -> None:
        key, lasts = (build.name, build.commit), False
        try:
            answer = self._built(build)
            if isinstance(answer, BuildDone):
                self.built += 1
                _log.info("indexed", repository=build.name, commit=build.commit, seconds=answer.seconds)
            else:
                lasts = answer.lasts
                build.error = build.error or CodedError(answer.message, code="index_error", remedy=answer.remedy)
        except Exception as error:  # noqa: BLE001 - one build must not end the others
            _log.error("a build failed", error, repository=build.name, commit=build.commit)
            build.error = CodedError("the index could not be made", code="index_error", remedy="ask again in a moment")
        with self._lock:
            if build.error and not self._is_closed:
                self.failures += 1
                build.error.facts.setdefault("retry_after", int(FAILED_FOR_GOOD_S if lasts else FAILED_S))
                now = time.monotonic()
                self._failed = {other: failed for other, failed in self._failed.items() if failed[1] > now}
                self._failed[key] = (build.error, now + build.error.facts["retry_after"])
                _log.warning(
                    "a commit is not indexed", repository=build.name, commit=build.commit, why=build.error.message
                )
            del self._builds[key]
        build.usable.set()
        try:
            self.on_built()
        except Exception as error:  # noqa: BLE001 - the next build tries to make room again
            _log.error("making room failed", error)

    def _built(self, build: _Build) -> BuildDone | BuildFailed:
        layout = self.layout_of(build.name, build.commit)
        layout.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        others = tuple((commit, str(self.layout_of(build.name, commit).place)) for commit in self.indexed(build.name))
        order = BuildOrder(
            str(build.root), build.commit, str(layout.place), str(self.blobs_of(build.name)), layout.name, others
        )
        process = build.process = self._start()
        answer: BuildDone | BuildFailed = BuildFailed(
            "the process that made the index has ended", "ask again in a moment"
        )
        try:
            if self._is_closed:
                return BuildFailed("the server is leaving")
            with contextlib.suppress(OSError, ValueError):  # its end shows at the other pipe
                process.send(msgspec.msgpack.encode(order))
            while content := process.receive():
                message: BuildMessage = msgspec.msgpack.decode(content, type=BuildMessage)
                if isinstance(message, BuildProgress):
                    build.progress = message
                elif isinstance(message, BuildUsable):
                    build.answers = True
                    build.usable.set()
                else:
                    answer = message
            process.wait()
        finally:
            process.end()
        if isinstance(answer, BuildDone):
            self._record(layout, answer)
            self._ready[build.name, build.commit] = Ready(__version__)
        return answer

    def _record(self, layout: Layout, done: BuildDone) -> None:
        ready = Ready(__version__, done.files, done.symbols, done.written, done.seconds)
        part = layout.place / f".{READY}"
        part.write_bytes(msgspec.json.encode(ready))
        part.replace(layout.place / READY)

    # -- the disk

    def _known(self, name: str, commit: str) -> Ready | None:
        if (name, commit) in self._ready:
            return self._ready[name, commit]
        content = read_regular(self.layout_of(name, commit).place / READY, MAX_READY_BYTES)
        with contextlib.suppress(msgspec.MsgspecError):
            ready = msgspec.json.decode(content or b"", type=Ready)
            if ready.version == __version__:  # another version may make other indexes
                self._ready[name, commit] = ready
                return ready
        return None

    def _folder(self, name: str) -> Path:
        return self._place / "repositories" / name.replace("/", "%")

    def prune(self, keep_bytes: int, is_used: Callable[[str, str], bool]) -> int:
        """Remove the indexes that were not used for the longest time, until all take at most `keep_bytes` on the disk.
        `is_used(name, commit)`: whether one has to stay. Returns the number of bytes that are left.
        """
        total, candidates = 0, []
        seen: set[tuple[int, int]] = set()
        for folder in folders_in(self._place / "repositories"):
            name = folder.name.replace("%", "/")
            total += bytes_on_disk(folder / "blobs", seen)
            for place in folders_in(folder / "revisions"):
                if place.name.startswith("."):
                    shutil.rmtree(place, ignore_errors=True)
                    continue
                size = bytes_on_disk(place, seen)
                total += size
                candidates.append((_used_at(place), name, place, size))
        for _, name, place, size in sorted(candidates, key=lambda candidate: candidate[0]):
            if total <= keep_bytes:
                break
            is_recent = time.time() - _used_at(place) < RECENT_S
            if not is_recent and not is_used(name, place.name) and (name, place.name) not in self._builds:
                self._remove(name, place)
                total -= size
        return total

    def _remove(self, name: str, place: Path) -> None:
        self._ready.pop((name, place.name), None)
        gone = place.with_name(f"{GONE}{place.name}")
        with contextlib.suppress(OSError):
            place.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)
        _log.info("an index was removed to make room", repository=name, commit=place.name)
        if not any(True for _ in folders_in(place.parent)) and not any(key[0] == name for key in self._builds):
            shutil.rmtree(place.parent.parent, ignore_errors=True)


def _not_yet(build: _Build) -> EngineUnavailable:
    progress = build.progress
    share = (
        f" ({progress.phase}: {progress.done:,} of {progress.total:,})" if progress.total else f" ({progress.phase})"
    )
    return EngineUnavailable(
        f"commit {build.commit[:12]} is being indexed{share}", remedy=f"ask again in {RETRY_S} seconds",
        retry_after=RETRY_S, progress=msgspec.to_builtins(progress),
    )  # fmt: skip


def _touch(layout: Layout) -> None:
    with contextlib.suppress(OSError):
        os.utime(layout.place / READY)


def _used_at(place: Path) -> float:
    for name in (READY, "."):
        with contextlib.suppress(OSError):
            return (place / name).stat().st_mtime
    return 0.0
