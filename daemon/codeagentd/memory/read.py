"""Reading of one memory with those linked to it, and statistics of all memories."""

from __future__ import annotations

from collections import Counter
from typing import Final

from codeagent_protocol.errors import NotFound, StoreFailed
from codeagentd.model.memory import MemoryStats, ReadMemory, RelatedMemory
from codeagentd.store.memory_backend import MemoryConnection, ServerAway

from .anchor_status import AnchorStates, anchor_states
from .memory_rows import memory_by_id, rows_of, snippet
from .memory_store import Caller, Code, MemoryStore, as_json, copies_of
from .team.copies import with_note
from .write import count_access

FOLLOWED: Final = (
    1_000  # links followed per distance, the strongest first, so that a hub does not use up an answer's time
)
RELATED: Final = 50  # related memories listed for one
TAGS: Final = 50  # tags that are counted


def read(memories: MemoryStore, caller: Caller, code: Code, memory: str, depth: int) -> ReadMemory:
    """Return the memory with the id `memory` and those linked to it, up to `depth` links away. The access is counted.
    While a team's server is away, a copy is read. Errors: not_found; db_error where there is no copy.
    """
    try:
        answer = _read(memories, caller, code, memory, depth)
    except ServerAway as away:
        if memories.offline is None:
            raise
        try:
            return with_note(memories, away, _read(copies_of(memories), caller, code, memory, depth))
        except NotFound:
            raise away from None
    if memories.offline:
        memories.offline.note_seen([answer.id])
    return answer


def _read(memories: MemoryStore, caller: Caller, code: Code, memory: str, depth: int) -> ReadMemory:
    with memories.store.read() as db:
        row = memory_by_id(db, memory)
    warning = ""
    try:
        row = count_access(memories, caller, row)
    except StoreFailed as error:  # a failure to record the access must not fail the answer
        warning = f"this access is not counted: {error.message}"
    with memories.store.read() as db:
        neighbours = related(db, row.number, depth)
        standing = anchor_states(memories, db, code, [row.number]).get(row.number, AnchorStates())
    more = f"the nearest {RELATED} of {len(neighbours)} related memories" if len(neighbours) > RELATED else ""
    return ReadMemory(
        **row.view(),
        status=standing.status,
        anchors=standing.anchors,
        related_memories=neighbours[:RELATED],
        note="; ".join(filter(None, (warning, more))),
    )


def related(db: MemoryConnection, number: int, depth: int) -> list[RelatedMemory]:
    """Return the memories up to `depth` links from the memory `number`, nearest first, then strongest; links lead both
    ways.
    """
    seen, frontier, ends = {number}, [number], []
    for distance in range(1, depth + 1):
        following = []
        for _, other, outgoing, strength, reason, _ in db.all(
            "memory.neighbours", {"numbers": as_json(frontier), "limit": FOLLOWED}
        ):
            if other not in seen:
                seen.add(other)
                following.append(other)
                ends.append((other, strength, distance, reason, "out" if outgoing else "in"))
        frontier = following
    rows = rows_of(db, [end[0] for end in ends])
    return [
        RelatedMemory(
            rows[other].id,
            rows[other].title,
            rows[other].type,
            snippet(rows[other].content),
            strength,
            distance,
            reason,
            direction,
        )
        for other, strength, distance, reason, direction in ends
        if other in rows
    ]


def stats(memories: MemoryStore, project: str | None, kind: str | None) -> MemoryStats:
    """Return counts of the stored memories of this project and kind (None: of all)."""
    narrowed = {"project": project, "type": kind}
    by_type: Counter[str] = Counter()
    by_project: Counter[str] = Counter()
    trust = 0.0
    with memories.store.read() as db:
        for type_, scope, count, sum_ in db.all("memory.totals", narrowed):
            by_type[type_] += count
            by_project[scope] += count
            trust += sum_
        tags: dict[str, int] = dict(db.all("memory.tag_totals", narrowed | {"limit": TAGS}))
        links = db.value("memory.count_links", narrowed)
    total = by_type.total()
    by_project.pop("", None)
    return MemoryStats(total, dict(by_type), dict(by_project), round(trust / total, 3) if total else 0.0, links, tags)
