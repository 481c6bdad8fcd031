"""The status of anchors: whether the code that a memory refers to is still the same. It is computed when a memory is
shown, and cached for one generation of the index.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from codeagentd.model.memory import AnchorView, MemoryNote
from codeagentd.query.symbols.lookup import Subject, named
from codeagentd.store.connection import Database
from codeagentd.store.memory_backend import MemoryConnection

from . import digests
from .anchors import SYMBOL, Anchor
from .memory_rows import rows_of, snippet
from .memory_store import Code, MemoryStore, as_json

CURRENT: Final = "current"
MOVED: Final = "moved"
STALE: Final = "stale"
GONE: Final = "gone"
UNKNOWN: Final = "unknown"
REMEMBERED: Final = 10_000  # answers that are cached
SHOWN: Final = 10  # memories of one symbol


class AnchorState(NamedTuple):
    """The present state of one anchor; `place`: the new location of the code, if it has moved."""

    status: str
    place: str = ""


class AnchorStates(NamedTuple):
    """The present state of a memory's anchors: of all together ('' without anchors), and of each."""

    status: str = ""
    anchors: list[AnchorView] = []


def views(anchors: Iterable[Anchor]) -> list[AnchorView]:
    """Return the views of `anchors`, which were just created, so that their code is unchanged."""
    return [AnchorView(anchor.path, CURRENT, anchor.name) for anchor in anchors]


def anchor_states(
    memories: MemoryStore, db: MemoryConnection, code: Code, numbers: Iterable[int]
) -> dict[int, AnchorStates]:
    """Return the present state of the anchors of the memories `numbers`, by number; memories without anchors are left
    out.
    """
    rows = db.all("anchors.of_memories", (as_json(list(numbers)),))
    anchor_views: dict[int, list[AnchorView]] = {}
    if not rows:
        return {}
    with code.read() as index:
        for memory, repository, *columns in rows:
            anchor = Anchor(*columns)
            now = _now(memories, index, code, anchor) if repository == memories.repository else AnchorState(UNKNOWN)
            anchor_views.setdefault(memory, []).append(AnchorView(anchor.path, now.status, anchor.name, now.place))
    return {
        memory: AnchorStates(_together({view.status for view in views}), views)
        for memory, views in anchor_views.items()
    }


def notes_of(memories: MemoryStore, code: Code, uid: bytes) -> list[MemoryNote]:
    """Return the memories that are anchored to the symbol with this uid, the last changed first."""
    if not memories.repository or not memories.store.is_there:
        return []
    with memories.store.read() as db:
        numbers = [number for (number,) in db.all("anchors.of_symbol", (memories.repository, uid, SHOWN))]
        rows, standing = rows_of(db, numbers), anchor_states(memories, db, code, numbers)
    return [
        MemoryNote(
            rows[number].id,
            rows[number].title or snippet(rows[number].content),
            rows[number].type,
            standing[number].status,
        )
        for number in numbers
        if number in rows
    ]


def _together(statuses: set[str]) -> str:
    known = statuses - {UNKNOWN}
    if known <= {GONE}:
        return GONE if known else UNKNOWN
    if known & {STALE, GONE}:
        return STALE
    return MOVED if MOVED in known else CURRENT


def _now(memories: MemoryStore, index: Database, code: Code, anchor: Anchor) -> AnchorState:
    seen: tuple[int, AnchorState] | None = memories.seen.get(anchor)
    if seen and seen[0] == code.generation:
        return seen[1]
    now = _symbol(index, code, anchor) if anchor.kind == SYMBOL else _file(index, code, anchor)
    if code.generation >= 0:
        if len(memories.seen) >= REMEMBERED:
            memories.seen.clear()
        memories.seen[anchor] = (code.generation, now)
    return now


def _symbol(index: Database, code: Code, anchor: Anchor) -> AnchorState:
    row = index.row("symbols.by_uid", (anchor.uid,))
    if row is None:
        return _lost(index, code, anchor)
    subject = Subject(*row)
    place = "" if (subject.qualified_name, subject.path) == (anchor.name, anchor.path) else _place(subject)
    if digests.of_symbol(code.lines, subject) != anchor.digest:
        return AnchorState(STALE, place)
    return AnchorState(MOVED, place) if place else AnchorState(CURRENT)


def _lost(index: Database, code: Code, anchor: Anchor) -> AnchorState:
    """The state of a symbol whose id the index does not have: it may be another worktree's, or removed.

    The code is searched by name, then by text, never by similarity.
    """
    namesakes = [Subject(*row[:-1]) for row in named(index, anchor.name)]
    if len(namesakes) == 1 and (namesakes[0].qualified_name, namesakes[0].path) == (anchor.name, anchor.path):
        return AnchorState(CURRENT if digests.of_symbol(code.lines, namesakes[0]) == anchor.digest else STALE)
    bodies = [Subject(*row) for row in index.all("anchors.by_body", (anchor.path, anchor.body))]
    last = anchor.name.replace("::", ".").rpartition(".")[2]
    same = [*bodies, *(Subject(*row[:-1]) for row in named(index, last))]
    result = {
        subject.id: subject
        for subject in same
        if subject.id > 0 and digests.of_symbol(code.lines, subject) == anchor.digest
    }
    return AnchorState(MOVED, _place(next(iter(result.values())))) if len(result) == 1 else AnchorState(GONE)


def _file(index: Database, code: Code, anchor: Anchor) -> AnchorState:
    digest = digests.of_file(code.lines, anchor.path)
    if digest:
        return AnchorState(CURRENT if digest == anchor.digest else STALE)
    paths = index.all("anchors.file_by_digest", (anchor.uid,))
    return AnchorState(MOVED, paths[0][0]) if len(paths) == 1 else AnchorState(GONE)


def _place(subject: Subject) -> str:
    return f"{subject.qualified_name} ({subject.path})"
