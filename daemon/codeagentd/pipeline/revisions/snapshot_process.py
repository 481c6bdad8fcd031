"""The process that builds graphs of past revisions: `python -m codeagentd.pipeline.revisions.snapshot_process`, its
request as MessagePack on stdin.

A copy of the index is updated to the revision as if its files had changed so: equal files cost nothing, and the content
of the others is read from git's objects. No work tree is made, and no filter or hook of the repository runs. Symbols
and references are resolved as far as those of the index itself.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.analysis.communities import communities
from codeagentd.analysis.graph import CONTAINS, Graph
from codeagentd.analysis.node_metrics import weights_of
from codeagentd.languages.language import language_of
from codeagentd.model.graph_snapshot import UNFINISHED, Snapshot, SnapshotRequest, encode, packed
from codeagentd.model.kinds import Confidence
from codeagentd.pipeline.batch.batch_writer import BatchWriter
from codeagentd.pipeline.batch.repository_macros import file_digest, known_openings
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import Plan, may_be_binary
from codeagentd.pipeline.graph.analysis_process import graph_of
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.scan.projects.detection import detect, is_manifest
from codeagentd.scan.secret_files import is_secret_file
from codeagentd.scan.walk import Stat
from codeagentd.store.connection import Database
from codeagentd.store.opening import copied, open_disposable
from codeagentd.vcs import history
from codeagentd.vcs.history import Blob

NICENESS: Final = 5  # a request waits for it, as for the workers
ROUNDS: Final = 3  # until facts that blobs.db had lost are made again


def snapshot_of(db: Database) -> Snapshot:
    """Return the graph of the index `db` in compact form."""
    graph = graph_of(db)
    details = {number: rest for number, *rest in db.all("history.details")}
    places = {file: place for place, file in enumerate(graph.files)}
    numbers: list[int] = []
    for node in graph.nodes:
        flags, body, line = details[node.number]
        numbers.extend((places[node.file], node.kind, flags, body, line))
    ends: list[int] = []
    for source, target, kind, confidence in graph.edges:
        if kind != CONTAINS and confidence != Confidence.AMBIGUOUS:
            ends.extend((source, target, kind))
    files = [file.path for file in graph.files.values()]
    return Snapshot(files, [node.label for node in graph.nodes], packed(numbers), packed(ends), _communities(graph))


def _communities(graph: Graph) -> int:
    return len(set(communities(len(graph.nodes), weights_of(graph))[0]))


class SnapshotBuilder:
    """Makes snapshots of revisions, with a copy of an index that it updates to each."""

    def __init__(self, request: SnapshotRequest, folder: Path) -> None:
        self._request = request
        self._folder = folder
        self._root = Path(request.root)
        self._index = folder / "index.db"
        source = Database(request.index)
        self._database = copied(source, self._index)
        source.close()
        self._database.run("analysis.lose")  # the copy is never asked for it
        self._facts, _ = open_disposable(Path(request.blobs), "blobs")
        self._rules = rules_of(self._root, request.ignore)

    def snapshot(self, commit: str) -> Snapshot:
        """Update the copy to `commit`, and return its graph."""
        files = self._files(commit)
        for attempt in range(ROUNDS):
            if not self._update_copy(f"{commit}-{attempt}", files):
                break
        return snapshot_of(self._database)

    def _files(self, commit: str) -> dict[str, Blob]:
        """Return the files of a commit that the index would contain."""
        listed = history.tree(self._root, commit)
        if listed is None:
            raise LookupError(f"git does not list the files of {commit}")
        return {path: blob for path, blob in listed.items() if _is_safe(path) and not self._rules.excluded(path)}

    def _update_copy(self, name: str, files: dict[str, Blob]) -> bool:
        """Update the copy to an index of these files. Returns whether that has to be done again."""
        stage = self._folder / name
        stage.mkdir()
        known: dict[str, bytes | None] = dict(self._database.all("history.files"))
        changed = self._differing(known, files)
        self._write_files(stage, {path: files[path] for path in (*changed, *filter(is_manifest, files))})
        pool = Pool(
            stage,
            self._index,
            Path(self._request.blobs),
            self._request.workers,
            max_file_bytes=self._request.max_file_bytes,
        )
        try:
            languages = frozenset(self._request.languages)
            writer = BatchWriter(self._database, self._facts, pool, stage, set(known), languages=languages)
            writer.planner.save_projects(detect(stage, files))
            renamed = writer.planner.renamed_files(files.keys()) - changed
            self._write_files(stage, {path: files[path] for path in renamed})
            plan = Plan(tuple(sorted(changed | renamed)), tuple(sorted(known.keys() - files.keys())))
            writer.run(plan, {path: Stat(blob.size, 0) for path, blob in files.items()})
            return writer.pop_lost_facts()
        finally:
            pool.reap()
            shutil.rmtree(stage, ignore_errors=True)

    def _differing(self, known: dict[str, bytes | None], files: dict[str, Blob]) -> set[str]:
        """Return the files that the copy does not have with this content. A file whose name suggests that it is not
        text is only listed, and never read.
        """
        new = {path for path in files if path not in known}
        read = {path: blob for path, blob in files.items() if known.get(path) and self._is_read(path, blob)}
        paths, openings = {blob.oid: path for path, blob in read.items()}, known_openings(self._database)
        digests = {oid: file_digest(paths[oid], data, openings) for oid, data in self._contents(read.values())}
        unread = {
            path for path, blob in files.items() if path not in new and not known[path] and self._is_read(path, blob)
        }
        return new | unread | {path for path, blob in read.items() if digests.get(blob.oid) != known[path]}

    def _is_read(self, path: str, blob: Blob) -> bool:
        is_text = language_of(path) is not None or not may_be_binary(path)
        return is_text and blob.size <= self._request.max_file_bytes and not is_secret_file(path)

    def _write_files(self, stage: Path, files: dict[str, Blob]) -> None:
        """Write files, with the content that git has, to where workers read them."""
        paths_by_oid: dict[str, list[str]] = {}
        for path, blob in files.items():
            if self._is_read(path, blob) or is_manifest(path):
                paths_by_oid.setdefault(blob.oid, []).append(path)
        for oid, data in self._contents(files[paths[0]] for paths in paths_by_oid.values()):
            for path in paths_by_oid[oid]:
                (stage / path).parent.mkdir(parents=True, exist_ok=True)
                (stage / path).write_bytes(data)

    def _contents(self, blobs: Iterable[Blob]) -> Iterable[tuple[str, bytes]]:
        return history.contents(self._root, sorted({blob.oid for blob in blobs}))


def _is_safe(path: str) -> bool:
    """Whether a path of a tree, which may come from an attacker, stays inside the folder into which it is written."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") for part in parts) and "\\" not in path and os.path.splitdrive(path)[0] == ""


def write_snapshot(request: SnapshotRequest) -> None:
    """Build the snapshot that `request` describes, and write it to its file."""
    place = Path(request.place)
    if request.commit:
        with tempfile.TemporaryDirectory(dir=place, prefix=UNFINISHED) as folder:
            snapshot = SnapshotBuilder(request, Path(folder)).snapshot(request.commit)
    else:
        db = Database(request.index)
        with db.transaction("DEFERRED"):
            snapshot = snapshot_of(db)
        db.close()
    part = place / f"{UNFINISHED}{os.getpid()}"
    part.write_bytes(encode(snapshot))
    part.replace(place / request.file)  # whole or not at all


def main() -> None:
    """Read one request from stdin and write its snapshot."""
    gc.disable()
    if sys.platform != "win32":
        os.nice(NICENESS)
    write_snapshot(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=SnapshotRequest))


if __name__ == "__main__":
    main()
