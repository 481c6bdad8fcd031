"""The query of the index by text, and by meaning if a model is ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.embedding import EmbeddingState, stored_mean
from codeagentd.model.identifier_words import split_words
from codeagentd.query.retrieval.features import Candidate
from codeagentd.query.retrieval.nearest_vectors import Meaning, nearest
from codeagentd.query.retrieval.question import Query
from codeagentd.query.retrieval.retrieve import defined_in, retrieve
from codeagentd.toolkit.background_task import run_in_background
from codeagentd.toolkit.context import Context

READY: Final = "ready"
MISSING_LISTED: Final = 5  # missing words that are listed
ECHOED: Final = 500  # characters of a question that its answer repeats
EMBEDDED: Final = 2_000  # characters of a question that are embedded: more than a model reads
LONGEST_LISTED: Final = 80  # characters of a word in a note
LOADING: Final = frozenset({"resting", "loading"})


class QueryResult(NamedTuple):
    """The result of a query, best hit first. `symbols` of the hits from `first` on as (qualified name, line); `mode`:
    lexical or hybrid; `embedded`: the share of symbols whose vectors were compared; `is_foreign`: most of the
    question's words occur nowhere in the code; `note` states what may be missing.
    """

    query: Query
    hits: list[Candidate]
    symbols: list[list[tuple[str, int]]]
    mode: str
    embedded: float
    is_foreign: bool
    note: str


def ask(ctx: Context, query: str, limit: int, first: int = 0) -> QueryResult:
    """Run a query. Errors: invalid_parameter."""
    if not query.strip():
        raise InvalidParameter("query is empty", remedy="ask in words or name what you look for", parameter="query")
    complete = ctx.engine.text_ready()
    meaning, state = begin_meaning(ctx, query), ctx.engine.embeddings
    with ctx.read() as db:
        parsed, hits, counted, weighed = retrieve(db, query, limit, meaning)
        symbols = [defined_in(db, hit) for hit in hits[first:]]
        waiting = 0 if complete else db.value("chunks.waiting")
    missing = _absent(parsed, counted) if complete and not weighed else []
    has_meaning = meaning() is not None
    subject = f"the text of {waiting:,} file{'s' * (waiting > 1)}" if waiting else "text"
    notes = [
        "" if complete else f"{subject} is still being indexed: more may be found in a moment",
        ("" if first else state.limit_note) if has_meaning else _missing(state),
    ]
    if missing and not first:
        notes.append(
            "not in the indexed text: "
            + ", ".join(map(_short, missing[:MISSING_LISTED]))
            + (", …" if len(missing) > MISSING_LISTED else "")
        )
    if weighed and not first:
        notes.append(
            "of the text, what tells most was looked up: "
            f"{', '.join(dict.fromkeys(map(_short, (*parsed.names, *parsed.words))))}"
        )
    mode, share = ("hybrid", state.share) if has_meaning else ("lexical", 0.0)
    return QueryResult(
        parsed,
        hits,
        symbols,
        mode,
        share,
        complete and _is_foreign(parsed, missing, weighed),
        "; ".join(filter(None, notes)),
    )


def _short(word: str) -> str:
    return word if len(word) <= LONGEST_LISTED else f"{word[:LONGEST_LISTED]}…"


def echoed(query: str) -> str:
    """The question as the answer repeats it: of a long text only the beginning."""
    return query if len(query) <= ECHOED else f"{query[:ECHOED]}…"


def _is_foreign(query: Query, missing: list[str], weighed: Mapping[str, int]) -> bool:
    """Whether most of the question's words occur nowhere in the text."""
    if weighed:
        return 2 * sum(not count for count in weighed.values()) > len(weighed)
    return 2 * len(missing) > len(query.words)


def _absent(query: Query, counted: Mapping[str, int]) -> list[str]:
    """The words of a question that occur nowhere. If a name occurs as it is written (`sha256`), none of its parts
    counts as missing; a missing name is reported whole.
    """
    whole = {part: name.lower() for name in query.names if name.lower() in counted for part in split_words(name)}
    missing = (whole.get(word, word) for word in query.words if not counted.get(word, 1))
    return list(dict.fromkeys(word for word in missing if not counted[word]))


def begin_meaning(ctx: Context, query: str) -> Callable[[], Meaning | None]:
    """Start to look for what is nearest to a question in meaning. The result is a function that waits for it; None
    without a model that is ready.

    The first line of a longer text states what it is about, so it counts as much as the whole.
    """
    text = query.strip()[:EMBEDDED]
    title = text.partition("\n")[0]
    await_vectors = [ctx.engine.begin_embedding(part) for part in dict.fromkeys((title, text))]
    if ctx.engine.embeddings.state != READY:
        return lambda: None

    def nearest_symbols() -> Meaning | None:
        with ctx.readers.read_beside() as db:  # opened while the vectors are computed
            vectors = [vector for vector in (wait() for wait in await_vectors) if vector]
            if not vectors:
                return None
            vector = stored_mean(vectors)
            return Meaning(vector, nearest(db, vector))

    return run_in_background(nearest_symbols).result  # runs while the words are looked up


def _missing(state: EmbeddingState) -> str:
    """The reason why there was no search by meaning, if it is only temporary."""
    return (
        "the embedding model is being loaded: asked again in a moment, the question is answered by meaning too"
        if state.state in LOADING
        else ""
    )
