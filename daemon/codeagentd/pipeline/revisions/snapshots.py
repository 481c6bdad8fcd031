"""Graphs of past revisions, stored by commit: built on demand, each by a separate process, one request at a time."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.limits import REVISION_DEADLINE_S
from codeagentd.languages.language import languages
from codeagentd.languages.versions import version_of
from codeagentd.model.graph_snapshot import SNAPSHOT_VERSION, UNFINISHED, Snapshot, SnapshotRequest, decode
from codeagentd.store.connection import form_of

MAX_SNAPSHOTS: Final = 12  # snapshots that stay; one of 30,000 nodes takes 6 MB


class Revisions:
    """Makes and keeps the snapshots of one index. Thread-safe. `request`: the parameters that all its builds share; the
    commit and the file are filled in for each.
    """

    def __init__(self, request: SnapshotRequest) -> None:
        self._request = request
        self._place = Path(request.place)
        self._lock = threading.Lock()
        self._processes: list[ChildProcess] = []
        self._closed = False
        settings = repr(
            (
                request.ignore,
                request.languages,
                request.max_file_bytes,
                sorted(map(version_of, languages())),
                SNAPSHOT_VERSION,
            )
        )
        self._mark = hashlib.blake2b(settings.encode(), digest_size=6).hexdigest()

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the running builds."""
        return tuple(process.pid for process in self._processes)

    def snapshots(self, commits: Sequence[str], generation: int) -> list[Snapshot]:
        """Return the graph of each of `commits` (whole hashes), in their order; '' stands for the index, which is in
        this generation.

        Errors: engine_unavailable.
        """
        # an index that was built again counts from the beginning
        index = f"index-{form_of(Path(self._request.index))[0]}-{generation}"
        names = {commit: f"{commit or index}.{self._mark}" for commit in commits}
        with self._lock:
            collected = {commit: self._read(name) for commit, name in names.items()}
            missing = {commit: names[commit] for commit, snapshot in collected.items() if snapshot is None}
            if missing:
                self._build_missing(missing)
                collected |= {commit: self._read(name) for commit, name in missing.items()}
            self._prune(set(names.values()))
        result = [snapshot for commit in commits if (snapshot := collected[commit])]
        if len(result) < len(commits):
            raise _failed()
        return result

    def _read(self, name: str) -> Snapshot | None:
        """Return a stored snapshot; None where there is none, or a damaged one."""
        try:
            return decode((self._place / name).read_bytes())
        except (OSError, msgspec.DecodeError):
            return None

    def close(self) -> None:
        """End the running builds."""
        self._closed = True
        for process in self._processes:
            process.end()  # the workers that it has started end with their stdin

    def _build_missing(self, files: Mapping[str, str]) -> None:
        """Build snapshots, with one process for each commit, at the same time."""
        self._place.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in self._place.glob(f"{UNFINISHED}*"):  # by one that was killed
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
        deadline = time.monotonic() + REVISION_DEADLINE_S
        try:
            for commit, file in files.items():
                self._processes.append(self._start(commit, file))
            for process in self._processes:
                process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise EngineUnavailable(
                f"the graphs of these revisions took longer than {REVISION_DEADLINE_S:g} s",
                remedy="compare revisions that are nearer to each other",
            ) from None
        finally:
            ended, self._processes = self._processes, []
            for process in ended:
                process.end()
        if any(process.returncode for process in ended):
            raise _failed()

    def _start(self, commit: str, file: str) -> ChildProcess:
        if self._closed:
            raise _failed()
        process = ChildProcess(module_command("codeagentd.pipeline.revisions.snapshot_process"), has_output=False)
        with suppress(BrokenPipeError):
            process.write(msgspec.msgpack.encode(msgspec.structs.replace(self._request, commit=commit, file=file)))
        process.close_input()
        return process

    def _prune(self, used: set[str]) -> None:
        """Remove the snapshots that were not used lately."""
        for name in used:
            with suppress(OSError):
                os.utime(self._place / name)
        files = sorted(
            (file for file in self._place.iterdir() if file.is_file()), key=lambda file: -file.stat().st_mtime_ns
        )
        for file in files[MAX_SNAPSHOTS:]:
            with suppress(OSError):
                file.unlink()


def _failed() -> EngineUnavailable:
    return EngineUnavailable(
        "the graph of a revision could not be made", remedy="`codeagentd logs` says why; try again"
    )
