"""A source file's pieces as memories of type code_chunk: new pieces are stored, changed ones updated, removed ones
deleted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.memory.anchors import Anchor, file_anchor, put_anchors, symbol_anchor
from codeagentd.memory.memory_rows import Row, rows_of
from codeagentd.memory.memory_store import Caller, Code, MemoryStore, answered, as_json, new_id, note, write_once
from codeagentd.memory.write import digest_of, retire
from codeagentd.model.identifier_words import spelled
from codeagentd.model.ids import node_id, numbers_of
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.memory import IndexedFile
from codeagentd.secrets.redaction import redacted
from codeagentd.store.connection import Database
from codeagentd.store.memory_backend import MemoryConnection

from .chunker import Definition, Piece, cut

LONGEST: Final = 20_000  # characters of a piece: a line of generated code may be very long
USES: Final = 20  # names of used definitions that are listed for a piece


class Chunk(NamedTuple):
    """A piece as a memory: its content, and its anchor."""

    name: str
    ordinal: int
    title: str
    content: str
    metadata: dict[str, Any]
    anchor: Anchor | None


class Source(NamedTuple):
    """A file in the indexed state: its path, its pieces and the digest of its bytes."""

    path: str
    language: str
    digest: bytes
    chunks: list[Chunk]


def known(memories: MemoryStore, caller: Caller, project: str, path: str, digest: bytes) -> IndexedFile | None:
    """Return the answer for a file whose content (`digest`) was cut into pieces before, or for a call that was answered
    before; None if the work has to be done.
    """
    if (recorded_answer := answered(memories, caller, IndexedFile)) is not None:
        return recorded_answer
    place = (memories.repository, project, path)
    with memories.store.read() as db:
        if db.value("code_chunks.known", place) != digest:
            return None
        count = len(db.all("code_chunks.pieces", place))
    return IndexedFile(path, chunks=count, unchanged=count, file_hash=digest.hex(), skipped=True)


def source_of(code: Code, path: str, digest: bytes) -> Source:
    """Return the file at `path` with its pieces, without secrets. Errors: invalid_parameter for a file whose present
    content is not in the index.
    """
    lines = code.lines(path)
    # read the file once, so that all pieces come from the same text
    steady = msgspec.structs.replace(
        code, lines=lambda requested: lines if requested == path else code.lines(requested)
    )
    with code.read() as db:
        row = db.row("code_chunks.file", (path,))
        if row is None or row[1] is None or row[2] != digest:
            why = (row[3] if row else "") or "it is left out of the index, or of no language that is indexed"
            raise InvalidParameter(
                f"{path!r} is not indexed: {why}",
                remedy="name a source file; get_status lists the languages",
                parameter="file_path",
            )
        definitions = [Definition(*columns) for columns in db.all("code_chunks.definitions", (row[0],))]
        uses = db.all("code_chunks.uses", numbers_of(row[0]))
        clean = redacted("\n".join(lines), path).split("\n")
        chunks = [_chunk(db, steady, path, row[1], digest, clean, piece, uses) for piece in cut(lines, definitions)]
    return Source(path, row[1], digest, chunks)


def _chunk(
    db: Database,
    code: Code,
    path: str,
    language: str,
    digest: bytes,
    clean: Sequence[str],
    piece: Piece,
    uses: Sequence[tuple[int, str]],
) -> Chunk:
    span, own = piece.span, piece.span.definition
    names = dict.fromkeys(
        name for line, name in uses if span.first <= line <= span.last and not name.startswith(piece.name or "\0")
    )
    metadata = {
        "file_path": path,
        "language": language,
        "chunk_type": SymbolKind(own.kind).label if own else "module",
        "name": piece.name,
        "start_line": span.first,
        "end_line": span.last,
        "file_hash": digest.hex(),
        "dependencies": list(names)[:USES],
        "parent_name": own.parent if own else "",
    }
    title = (piece.name or path) + ("" if span.is_whole else f" (part {piece.ordinal})")
    anchor = symbol_anchor(db, code, node_id(own.uid)) if own else file_anchor(db, code, path)
    return Chunk(
        piece.name, piece.ordinal, title, "\n".join(clean[span.first - 1 : span.last])[:LONGEST], metadata, anchor
    )


def index(memories: MemoryStore, caller: Caller, source: Source, project: str) -> IndexedFile:
    """Update the memories of the file `source` to its present pieces, and return the answer."""
    place = (memories.repository, project, source.path)

    def work(db: MemoryConnection) -> IndexedFile:
        db.run("code_chunks.lock", place)
        db.run("memory.open_project", (project,))
        known = {(name, ordinal): memory for name, ordinal, memory in db.all("code_chunks.pieces", place)}
        rows = rows_of(db, known.values())
        created = updated = 0
        for chunk in source.chunks:
            row = rows.get(known.pop((chunk.name, chunk.ordinal), 0))
            if row is None:
                _create(memories, db, caller, chunk, place)
                created += 1
            else:
                updated += _update(memories, db, caller, row, chunk)
        retired = _retire(db, caller, known.values(), rows)
        db.run("code_chunks.put_known", (*place, source.digest))
        same = len(source.chunks) - created - updated
        return IndexedFile(
            source.path, source.language, len(source.chunks), created, updated, same, retired, source.digest.hex()
        )

    return write_once(memories, caller, IndexedFile, work)


def forget(memories: MemoryStore, caller: Caller, path: str, project: str) -> IndexedFile:
    """Delete the memories of all pieces of the removed file at `path`, and return the answer."""
    place = (memories.repository, project, path)

    def work(db: MemoryConnection) -> IndexedFile:
        db.run("code_chunks.lock", place)
        numbers = [memory for _, _, memory in db.all("code_chunks.pieces", place)]
        retired = _retire(db, caller, numbers, rows_of(db, numbers))
        db.run("code_chunks.drop_known", place)
        return IndexedFile(path, retired=retired, note="the file is gone")

    return write_once(memories, caller, IndexedFile, work)


def _create(
    memories: MemoryStore, db: MemoryConnection, caller: Caller, chunk: Chunk, place: tuple[str, str, str]
) -> None:
    repository, project, _ = place
    identity = {
        "id": new_id(),
        "type": "code_chunk",
        "project": project,
        "source_task": "",
        "repository": repository,
        "tags": "[]",
        "confidence": 1.0,
    }
    number = db.value("memory.put", identity | _columns(chunk))
    db.run("code_chunks.put", (number, *place, chunk.name, chunk.ordinal))
    _settle(memories, db, number, chunk)
    row = rows_of(db, [number])[number]
    note(db, caller, "store", row.id, None, row.view())


def _update(memories: MemoryStore, db: MemoryConnection, caller: Caller, old: Row, chunk: Chunk) -> bool:
    """Update a memory. Returns whether its text changed; a piece that only moved gets its new lines, and no entry in
    the audit feed.
    """
    stays = {"number": old.number, "tags": old.tags, "confidence": old.confidence, "repository": old.repository}
    db.run("memory.change", stays | _columns(chunk))
    is_other = (old.title, old.content) != (chunk.title, chunk.content)
    if is_other:
        db.run("memory.delete_words", (old.number,))
        # vector of its former text; the background thread computes a new one
        db.run("recall.delete_bits", {"number": old.number})
    _settle(memories, db, old.number, chunk, words=is_other)
    if is_other:
        note(db, caller, "update", old.id, old.view(), rows_of(db, [old.number])[old.number].view())
    return is_other


def _settle(memories: MemoryStore, db: MemoryConnection, number: int, chunk: Chunk, *, words: bool = True) -> None:
    if words:
        db.recall.put_words(number, spelled(chunk.title), spelled(chunk.content), "")
    put_anchors(db, memories.repository, number, [chunk.anchor] if chunk.anchor else [])


def _retire(db: MemoryConnection, caller: Caller, numbers: Sequence[int] | Any, rows: dict[int, Row]) -> int:
    gone = [rows[number] for number in numbers if number in rows]
    for row in gone:
        retire(db, caller, row)
    return len(gone)


def _columns(chunk: Chunk) -> dict[str, Any]:
    return {
        "title": chunk.title,
        "content": chunk.content,
        "metadata": as_json(chunk.metadata),
        "digest": digest_of(chunk.title, chunk.content),
        "anchored": 1,
        "now": time.time(),
    }
