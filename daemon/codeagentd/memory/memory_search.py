"""Search: candidates by words and by vectors, one score for each, a short list of all hits, and the full text of those
that fit a budget.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.memory import DetailEntry, IndexEntry, RelatedMemory, SearchMemories
from codeagentd.query.retrieval.question import read
from codeagentd.query.retrieval.tokens import estimate
from codeagentd.store.memory_backend import MemoryConnection, ServerAway

from .anchor_status import CURRENT, UNKNOWN, AnchorStates, anchor_states
from .candidates import Filters, Vector, by_vector, by_words, embedded, expression, place_of
from .memory_rows import Row, rows_of, snippet
from .memory_store import Code, MemoryStore, copies_of
from .ranking import boost, fused
from .read import related
from .team.copies import with_note
from .vectors import known_vector

RELATED: Final = 5  # related memories listed for one hit
LEAST_DETAIL: Final = 60  # tokens: a shorter part of a memory would be its snippet
POOL: Final = 3  # factor for the number of candidates that are scored: stale ones lose places to others


class Hit(NamedTuple):
    """A memory, its score, and the state of its anchors."""

    row: Row
    score: float
    standing: AnchorStates


def search(
    memories: MemoryStore,
    code: Code,
    query: str,
    filters: Filters,
    max_results: int,
    max_tokens: int,
    include_graph: bool,
) -> SearchMemories:
    """Return the memories that answer `query`, as the tool's answer: at most `max_results` hits, with at most
    `max_tokens` tokens of their full texts. While a team's server is away, copies are searched. Errors:
    invalid_parameter.
    """
    narrowed = (code, query, filters, max_results, max_tokens, include_graph)
    try:
        answer = _searched(memories, *narrowed)
    except ServerAway as away:
        if memories.offline is None:
            raise
        return with_note(memories, away, _searched(copies_of(memories), *narrowed))
    if memories.offline:
        memories.offline.note_seen(entry.id for entry in answer.index)
    return answer


def _searched(
    memories: MemoryStore,
    code: Code,
    query: str,
    filters: Filters,
    max_results: int,
    max_tokens: int,
    include_graph: bool,
) -> SearchMemories:
    if not query.strip():
        raise InvalidParameter("query is empty", remedy="ask in words or name what you look for", parameter="query")
    embedding = embedded(memories.embedder, query)
    question = read(query)
    with memories.store.read() as db:
        vector = known_vector(db, *embedding)
        matches, total = hits(memories, db, code, query, vector, filters, max_results)
        related_by_memory = (
            {hit.row.number: related(db, hit.row.number, 1)[:RELATED] for hit in matches} if include_graph else {}
        )
    index = [_entry(hit, question.words) for hit in matches]
    details = _details(matches, related_by_memory, max_tokens)
    note = "" if vector.is_there else "found by words alone: no model is loaded"
    return SearchMemories(index, details, total, "hybrid" if vector.is_there else "bm25", note)


def hits(
    memories: MemoryStore, db: MemoryConnection, code: Code, query: str, vector: Vector, filters: Filters, limit: int
) -> tuple[list[Hit], int]:
    """Return the best `limit` memories for `query` and its `vector`, best first, and the number of all matches."""
    near = by_vector(db, vector, filters)
    words = by_words(db, expression(read(query)), filters, near=[number for number, _ in near])
    scores = fused(words.ranked, near if vector.is_there else None)
    best = sorted(scores, key=lambda number: (-scores[number], number))[: limit * POOL]
    rows, standing = rows_of(db, best), anchor_states(memories, db, code, best)
    result = []
    for number in best:
        if row := rows.get(number):
            own = standing.get(number, AnchorStates())
            result.append(Hit(row, scores[number] * boost(row.access_count, row.confidence, own.status), own))
    result.sort(key=lambda hit: (-hit.score, hit.row.number))
    return result[:limit], words.total + len(near) - words.near


def _entry(hit: Hit, words: tuple[str, ...]) -> IndexEntry:
    row, status = hit.row, hit.standing.status
    piece = snippet(row.content, place_of(row.content, words))
    return IndexEntry(
        row.id, row.title, row.type, round(hit.score, 3), piece, "" if status in (CURRENT, UNKNOWN) else status
    )


def _details(matches: list[Hit], related_by_memory: dict[int, list[RelatedMemory]], budget: int) -> list[DetailEntry]:
    """The hits in full, best first, as far as the budget allows; the first that does not fit is cut, if enough of it
    remains.
    """
    details: list[DetailEntry] = []
    for hit in matches:
        whole = DetailEntry(
            hit.row.id,
            hit.row.content,
            msgspec.json.decode(hit.row.metadata),
            related_by_memory.get(hit.row.number, []),
            hit.standing.anchors,
        )
        if (cost := _cost(whole)) > budget:
            cut = _cut(whole, budget)
            return [*details, cut] if cut else details
        budget -= cost
        details.append(whole)
    return details


def _cut(whole: DetailEntry, budget: int) -> DetailEntry | None:
    """As much of an entry as fits; None when that would be too little."""
    bare = msgspec.structs.replace(whole, content="", truncated=True)
    left = budget - _cost(bare)
    if left < LEAST_DETAIL:
        return None
    low, high = 0, len(whole.content)
    while low < high:  # escapes make JSON longer than the text by an unknown amount, so this tries lengths
        middle = (low + high + 1) // 2
        if _cost(msgspec.structs.replace(bare, content=whole.content[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return msgspec.structs.replace(bare, content=whole.content[:low])


def _cost(entry: DetailEntry) -> int:
    return estimate(msgspec.json.encode(entry).decode())
