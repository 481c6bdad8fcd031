"""An extract worker: `python -m codeagentd.pipeline.workers.worker ROOT INDEX BLOBS MAX_FILE_BYTES`, frames on stdin
and stdout.

It is a separate process because tree-sitter holds the interpreter lock, and because a file that hangs the parser must
be killable.
"""

from __future__ import annotations

import functools
import gc
import os
import signal
import sys
from pathlib import Path

from codeagent_protocol.pipes import receive, send
from codeagentd.base.limits import KEPT_BLOCKS, WARM_SYMBOLS
from codeagentd.base.paths import Jail
from codeagentd.base.processor_time import at_most
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.store.connection import CORRUPT, Database
from codeagentd.store.opening import UNUSABLE

from .chunker import pieces_of
from .file_reader import Reader
from .messages import (
    DAMAGED,
    UNREADABLE,
    Chunk,
    Chunked,
    Extract,
    Link,
    Linked,
    LinkJob,
    Message,
    answer_encoder,
    request_decoder,
)
from .resolver import Resolver

NICENESS = 5  # background work gives way to what the user runs


class Worker:
    """The loop of an extract worker: answers the daemon's requests until stdin ends."""

    def __init__(self, root: str, index: str, blobs: str, max_file_bytes: int) -> None:
        self._index = index
        self._root = root
        self._jail = Jail(Path(root))
        self._blobs = blobs
        self._max_file_bytes = max_file_bytes
        self._world: StoredSymbolTable | None = None
        self._database: Database | None = None
        self._most_blocks = 0  # of memory, after which the caches are emptied

    @functools.cached_property
    def _reader(self) -> Reader:
        """Return the file reader; created for the first job, because a worker starts before the daemon has created the
        databases.
        """
        return Reader(self._root, Database(self._blobs), self._max_file_bytes)

    def run(self) -> None:
        """Read requests from stdin, and answer each job with a frame on stdout."""
        stdin = sys.stdin.buffer
        while content := receive(stdin):
            request = request_decoder.decode(content)
            if isinstance(request, Extract):
                self._extract(request)
            elif isinstance(request, Chunk):
                self._chunk(request)
            else:
                self._link(request)

    def _extract(self, request: Extract) -> None:
        for job in request.jobs:
            with at_most(request.seconds):
                outcome = self._reader.read(job, _send if request.tells_start else None)
            _send(outcome)

    def _chunk(self, request: Chunk) -> None:
        database = Database(self._index)
        for job in request.jobs:
            with at_most(request.seconds):
                pieces = pieces_of(database, self._jail, job.file, job.path)
            _send(Chunked(job.file, pieces))
        database.close()

    def _link(self, request: Link) -> None:
        if request.projects is not None:
            self._end_reading()
            self._database = Database(self._index)
            self._database.connection.execute("BEGIN")
            self._begin_resolving(ProjectMap.unpack(request.projects))
        assert self._world is not None, "a worker's first request to resolve files tells it the projects"
        if sys.getallocatedblocks() > self._most_blocks:
            self._drop_caches()
        for job in request.jobs:
            with at_most(request.seconds):
                linked = self._link_one(self._world, job)
            _send(linked)

    def _begin_resolving(self, projects: ProjectMap) -> None:
        """Begin to resolve files, with all symbols of a repository that is not large."""
        assert self._database is not None
        self._world = StoredSymbolTable(self._database, projects)
        if self._database.value("world.last_symbol") <= WARM_SYMBOLS:
            self._world.warm()
        self._resolver = Resolver(self._database, self._world)
        self._most_blocks = sys.getallocatedblocks() + KEPT_BLOCKS

    def _drop_caches(self) -> None:
        """Drop what was found while files were resolved. It refers to itself, so that only the collector frees it."""
        assert self._database is not None
        assert self._world is not None
        del self._resolver
        if not self._world.is_warm:
            # what files include is small, and slow to find
            self._world = StoredSymbolTable(self._database, self._world.projects, self._world.include_edges)
        gc.collect()
        self._resolver = Resolver(self._database, self._world)
        self._most_blocks = sys.getallocatedblocks() + KEPT_BLOCKS

    def _link_one(self, world: StoredSymbolTable, job: LinkJob) -> Linked:
        file = world.file(job.file)
        digest, symbols = world.content(job.file)
        facts = self._reader.recall(digest, file.language)
        if facts is None:
            return Linked(job.file, b"", missing=True)
        return self._resolver.resolve(job.file, facts, symbols)

    def _end_reading(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = self._world = None


def _send(answer: Message) -> None:
    send(1, answer_encoder.encode(answer))


def main() -> None:
    """Run a worker with the arguments of the command line."""
    gc.disable()  # facts are trees of plain values, freed by count; the collector cost 10 % of the time
    if sys.platform != "win32":
        os.nice(NICENESS)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # an ignored one would be inherited
    root, index, blobs, max_file_bytes = sys.argv[1:5]
    try:
        Worker(root, index, blobs, int(max_file_bytes)).run()
    except CORRUPT:
        sys.exit(DAMAGED)
    except UNUSABLE:
        sys.exit(UNREADABLE)


if __name__ == "__main__":
    main()
