"""Pulling: facts and vectors that a store has for the files of a repository are put into its blobs.db.

Only what blobs.db lacks is fetched, in parts of packs, and each part is kept at once: a pull that was ended goes on
where it was. Of what is fetched, one in a hundred is extracted here as well, and has to be the same.
"""

from __future__ import annotations

import random
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol.errors import CodedError, StoreFailed
from codeagentd.base.processor_time import at_most
from codeagentd.extract.file_facts import extract
from codeagentd.model.facts import pack
from codeagentd.pipeline.batch.file_listing import ParsedFile, parsed_files
from codeagentd.store.connection import Database

from .entries import Key, unpacked, unsealed
from .file_vectors import vectors_in
from .identity import Identity, identity, vectors_key
from .manifests import public_key
from .opening import open_store
from .packs import Place, Range, entries_of, ranges
from .published import catalogue, nearest
from .pull_messages import PullReport, PullRequest

AUDITED: Final = 0.01  # share of the facts that are extracted here too
AUDIT_S: Final = 5.0  # seconds of processor time for one of these
AUDIT_BYTES: Final = 200_000  # larger files are not chosen: one could take as long as all others
READERS: Final = 2  # threads that read files: hashing and reading let each other run
PARTS_AT_ONCE: Final = 4  # fetched and not yet kept: 16 MB


class Lies(StoreFailed):
    """Raised for facts that are not those of the file."""


OnProgress = Callable[[str, int, int], None]


class Pull:
    """One pull, in two steps: the facts, then the vectors. `on_progress` is called with a phase, done and total."""

    def __init__(self, request: PullRequest, on_progress: OnProgress) -> None:
        self._request = request
        self._on_progress = on_progress
        self._store = open_store(request.url)
        self._database = Database(request.blobs, writable=True, patience_ms=60_000)
        self._began = time.monotonic()
        self._catalogue: dict[bytes, Place] = {}
        self._digests: set[bytes] = set()
        self._written: list[Key] = []
        self.report = PullReport(request.url, time.time())

    def close(self) -> None:
        """Close blobs.db."""
        self._database.close()

    def facts(self) -> None:
        """Fetch the facts. Errors: those of the store and of its contents; facts that were kept from a store that lies
        are removed again.
        """
        request = self._request
        published = nearest(self._store, Path(request.root), [public_key(text) for text in request.trusted])
        if published is None:
            return
        self._note(commit=published.commit, distance=published.distance)
        self._catalogue = catalogue(self._store, published.manifest.packs, lambda: self._on_progress("pull", 0, 0))
        requested: dict[bytes, Identity] = {}
        has_any = bool(self._database.value("blobs.has_any"))
        for file in self._identities():
            self._digests.add(file.facts.digest)
            if has_any and self._database.value("blobs.has_facts", file.facts):
                self._note(had=self.report.had + 1)
            elif (id_ := file.facts.id) in self._catalogue:
                requested[id_] = file
        audited = self._chosen(requested)
        done = 0
        try:
            for entries in self._fetched(requested):
                contents = [(requested[id_], unsealed(requested[id_].facts, entry)) for id_, entry in entries]
                for file, content in contents:
                    facts = unpacked(content)
                    if file.facts.id in audited:
                        self._audit(file, facts)
                self._keep("blobs.put_facts", [(*file.facts, content) for file, content in contents])
                self._written += [file.facts for file, _ in contents]
                done += len(contents)
                self._note(facts=done)
                self._on_progress("pull", done, len(requested))
        except Lies:
            self._keep("garbage.delete_facts", self._written)
            self._note(facts=0)
            raise

    def vectors(self) -> None:
        """Fetch the vectors of the files whose keys `facts` has found. Errors: those of the store."""
        if not self._request.model:
            return
        keys = (vectors_key(digest, self._request.model) for digest in self._digests)
        requested = {key.id: key for key in keys if key.id in self._catalogue}
        for entries in self._fetched(requested):
            rows = []
            for id_, entry in entries:
                rows += vectors_in(unpacked(unsealed(requested[id_], entry)))
            self._keep("vectors.cache", rows)
            self._note(vectors=self.report.vectors + len(rows))
            self._on_progress("pull", self.report.vectors, 0)

    def end(self, error: CodedError | None = None) -> PullReport:
        """Return the report of the pull, which ended with `error` (None: well)."""
        self._note(seconds=round(time.monotonic() - self._began, 3))
        if error is not None:
            self._note(**{"refused" if isinstance(error, Lies) else "trouble": error.message}, remedy=error.remedy)
        return self.report

    def _note(self, **fields: object) -> None:
        self.report = msgspec.structs.replace(self.report, **fields)

    def _keep(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        with self._database.transaction():
            self._database.run_many(statement, rows)

    def _identities(self) -> Iterator[Identity]:
        """Yield every file with its keys; of its content only what an audit needs stays."""
        request, root = self._request, Path(self._request.root)

        def read(file: ParsedFile) -> Identity | None:
            result = identity(root, file, request.max_file_bytes)
            return None if result is None else result._replace(source=b"")

        files = parsed_files(root, request.ignore, request.languages)
        self._note(files=len(files))
        with ThreadPoolExecutor(READERS) as pool:
            for number, file_identity in enumerate(pool.map(read, files)):
                if number % 1000 == 0:
                    self._on_progress("pull", 0, 0)
                if file_identity is not None:
                    yield file_identity

    def _chosen(self, requested: dict[bytes, Identity]) -> set[bytes]:
        """Choose the entries to extract here too."""
        count = max(1, round(len(requested) * AUDITED)) if requested else 0
        return set(random.SystemRandom().sample(sorted(requested), count))

    def _audit(self, file: Identity, facts: bytes) -> None:
        present = identity(Path(self._request.root), file.file, AUDIT_BYTES)
        pack_ref = self._catalogue[file.facts.id].pack
        if present is None or present.facts != file.facts:
            return  # too large, or it was changed meanwhile
        if pack_ref.unicode != unicodedata.unidata_version and not present.source.isascii():
            return  # another version of Unicode may know other letters
        with at_most(AUDIT_S):
            own = pack(extract(present.source, file.facts.kind, file.file.openings))
        self._note(audited=self.report.audited + 1)
        if own != facts:
            raise Lies(
                f"the store {self._store.url} has facts of {file.file.path} that are not those of the file "
                f"(pack {pack_ref.name[:12]}): nothing more is taken from it",
                remedy="tell whoever fills the store; `codeagentd share pull` tries it again",
            )

    def _fetched(self, requested: Iterable[bytes]) -> Iterator[list[tuple[bytes, bytes]]]:
        """Yield the `requested` entries as (id, sealed bytes), part by part, as far as max_bytes allows."""
        parts = self._within_limit(ranges((id_, self._catalogue[id_]) for id_ in requested))
        with ThreadPoolExecutor(PARTS_AT_ONCE) as pool:
            queue: list[tuple[Range, Future[bytes]]] = []
            rest = iter(parts)
            while True:
                for part in islice(rest, PARTS_AT_ONCE - len(queue)):
                    queue.append((part, pool.submit(self._store.get, part.pack.key, part.start, part.length)))
                if not queue:
                    return
                part, data = queue.pop(0)
                entries = list(entries_of(part, data.result()))
                self._note(bytes=self.report.bytes + part.length)
                yield entries

    def _within_limit(self, parts: list[Range]) -> list[Range]:
        """Return those of `parts` that max_bytes lets through, and note how many entries the others have."""
        result, size = [], self.report.bytes
        for part in parts:
            if size + part.length <= self._request.max_bytes:
                result.append(part)
                size += part.length
            else:
                self._note(left=self.report.left + len(part.entries))
        return result
