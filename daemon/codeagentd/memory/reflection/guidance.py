"""What do earlier attempts at something similar say about the next one, and about who should make it?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from codeagentd.memory.keeper import Code, Keeper, as_json
from codeagentd.memory.recall import Filters, all_of, any_of, by_words, cosines, embedded, expression, words_in
from codeagentd.memory.rows import Row, rows_of, snippet
from codeagentd.memory.search import hits
from codeagentd.memory.vectors import known_vector
from codeagentd.model.reflection import Evidence, Guidance, ModelRecord, Recommendation
from codeagentd.model.words import split_words
from codeagentd.query.ranking import Query
from codeagentd.query.ranking import read as read_question
from codeagentd.store.connection import Database

from .episodes import KEPT, worked
from .facts import Fact, read
from .lessons import kind_of
from .places import traced

CANDIDATES: Final = 40  # episodes that a search finds and that are compared
SHOWN: Final = 5  # of each side
SIMILAR: Final = 0.4  # from which an episode is evidence: less is a word or two in common
SAME_ERROR: Final = 0.3  # added where it met the same error
Z: Final = 1.96  # of a two-sided interval of 95 %
COUNTED: Final = 5_000  # episodes that are counted
MODELS: Final = ("haiku", "sonnet", "opus")


class Episode(NamedTuple):
    """An episode and how it ended: True, False, or None where it does not say."""

    row: Row
    metadata: dict[str, Any]
    has_worked: bool | None


def improved_attempt(keeper: Keeper, code: Code, task: str, output: str, error_pattern: str) -> Guidance:
    """What worked and what did not for similar tasks, and what follows from it."""
    facts = read(error_pattern) or read(output)
    question = " ".join([task, error_pattern, *(f"{fact.error} {fact.message}" for fact in facts[:3])])[:1_000]
    near = _similar(keeper, code, question, task, error_pattern, facts)
    good = [evidence for episode, evidence in near if episode.has_worked][:SHOWN]
    bad = [evidence for episode, evidence in near if episode.has_worked is False][:SHOWN]
    unsaid = sum(episode.has_worked is None for episode, _ in near)
    return Guidance(
        good,
        bad,
        _recommended(good, bad, facts),
        [one.id for one in (*good, *bad)],
        [one.view() for one in traced(code, facts[:KEPT])],
        f"{unsaid} similar episodes do not say how they ended" if unsaid else "",
    )


def _similar(keeper: Keeper, code: Code, question: str, task: str, error_pattern: str, facts: Sequence[Fact]) -> list[tuple[Episode, Evidence]]:
    """Episodes that are evidence, the most similar first."""
    if not read_question(question).words:
        return []
    made = embedded(keeper.embedder, question)
    with keeper.store.read() as db:
        vector = known_vector(db, *made)
        found, _ = hits(keeper, db, code, question, vector, Filters(type="episode"), CANDIDATES)
        near = dict(cosines(db, vector, [hit.row.number for hit in found]))
        episodes = {episode.row.number: episode for episode in _episodes(db, [hit.row for hit in found])}
    wanted, errors = words_in(task), {fact.error for fact in facts if fact.error}
    chosen = []
    for hit in found:
        episode = episodes[hit.row.number]
        likeness = max(_share(wanted, episode), near.get(hit.row.number, 0.0))
        if error_pattern.strip().lower() in hit.row.content.lower() if error_pattern.strip() else errors & _errors(episode):
            likeness += SAME_ERROR
        if likeness >= SIMILAR:
            chosen.append((episode, _evidence(episode, min(1.0, likeness), hit.standing.status)))
    return sorted(chosen, key=lambda one: (-one[1].similarity, one[1].id))


def _share(wanted: set[str], episode: Episode) -> float:
    """How much of the task's words the episode has."""
    own = words_in(f"{episode.row.title}\n{episode.metadata.get('task', '')}\n{episode.row.content}")
    return len(wanted & own) / len(wanted) if wanted else 0.0


def _errors(episode: Episode) -> set[str]:
    findings = episode.metadata.get("findings")
    return {str(one.get("error")) for one in findings if isinstance(one, dict)} - {"None", ""} if isinstance(findings, list) else set()


def _episodes(db: Database, rows: Sequence[Row]) -> list[Episode]:
    resolving = {memory for (memory,) in db.all("reflection.resolving", (as_json([row.id for row in rows]),))}
    found = []
    for row in rows:
        metadata = msgspec.json.decode(row.metadata)
        found.append(Episode(row, metadata, worked(str(metadata.get("outcome", "")), resolved_a_task=row.id in resolving)))
    return found


def _evidence(episode: Episode, similarity: float, status: str) -> Evidence:
    metadata = episode.metadata
    lesson = metadata.get("reflection") or {}
    told = lesson.get("general_lesson" if episode.has_worked else "root_cause") or lesson.get("what_went_wrong") or episode.row.content[:300]
    return Evidence(
        episode.row.id,
        round(similarity, 3),
        _approach(episode),
        str(told)[:300],
        str(metadata.get("task", ""))[:200],
        str(metadata.get("model_used", "")),
        ", ".join(sorted(_errors(episode))),
        status if status not in ("current", "unknown") else "",
    )


def _approach(episode: Episode) -> str:
    """What was tried, as far as the episode says more than what its task was: that is not to be avoided."""
    task = str(episode.metadata.get("task", "")).strip()
    told = str(episode.metadata.get("approach") or episode.row.title or snippet(episode.row.content)).strip()
    return "" if told == task else told[:300]


def _recommended(good: Sequence[Evidence], bad: Sequence[Evidence], facts: Sequence[Fact]) -> str:
    tried = [f"{one.approach} ({one.id})" for one in bad if one.approach]
    avoid = f" Not again: {'; '.join(tried)}." if tried else ""
    kind = kind_of(facts[0].error, facts[0].message)[0] if facts else None
    own = f" For {': '.join(filter(None, (facts[0].error, facts[0].message)))}: {_plain(kind.next)}." if kind else ""
    if good:
        return f"Do as in {good[0].id}{': ' * bool(good[0].approach)}{good[0].approach}.{avoid}{own}"
    if bad:
        return f"No similar attempt has worked yet.{avoid}{own}"
    return f"There is no similar episode.{own}"


def _plain(sentence: str) -> str:
    return sentence.replace("{name}", "the name").replace("{where}", "the place").replace("{message}", "the message")


def model_effectiveness(keeper: Keeper, pattern: str, feedback_type: str) -> Recommendation:
    """The model whose share of successes is highest at its lower bound: few attempts prove little."""
    with keeper.store.read() as db:
        matching, some = _matching(db, read_question(pattern))
        episodes = _episodes(db, matching)
    if feedback_type:
        episodes = [episode for episode in episodes if episode.metadata.get("feedback_type") == feedback_type]
    records = _records(episodes)
    reasons = [f"{len(episodes)} episodes match{' with some of the words' if some and episodes else ''}"]
    reasons += [f"{one.model} succeeded in {one.successes} of {one.attempts} (at least {one.lower_bound:.0%} with 95 % confidence)" for one in records]
    if silent := len(episodes) - sum(one.attempts for one in records):
        reasons.append(f"{silent} do not name a model, or how they ended")
    best = records[0] if records and records[0].successes else None
    if best is None:
        reasons.append("no model has succeeded yet" if records else "there is nothing to compare: reflect, and store with type episode, record attempts")
    return Recommendation(best.lower_bound if best else 0.0, "; ".join(reasons), records, len(episodes), best.model if best else "")


def _matching(db: Database, asked: Query) -> tuple[list[Row], bool]:
    """Episodes that have all words, or, where none has, half of them and more."""
    narrowed = Filters(type="episode")
    every = by_words(db, _every(asked), narrowed, COUNTED).ranked
    numbers = every or by_words(db, expression(asked), narrowed, COUNTED).ranked
    rows = list(rows_of(db, [number for number, _ in numbers]).values())
    if every:
        return rows, False
    wanted = words_in(" ".join(asked.words))
    return [row for row in rows if 2 * len(wanted & words_in(f"{row.title}\n{row.content}")) >= len(wanted)], True


def _every(asked: Query) -> str:
    """An FTS5 expression for texts with every word, and every name as a whole or in its parts: `sha256` is one word there."""
    names = [(name, split_words(name)) for name in asked.names]
    parts = {part for _, words in names for part in words}
    plain = [word for word in asked.words if word not in parts]
    return " AND ".join([*filter(None, [all_of(plain)]), *(f"({any_of([name.lower()])} OR ({all_of(words)}))" for name, words in names if words)])


def _records(episodes: Iterable[Episode]) -> list[ModelRecord]:
    attempts: Counter[str] = Counter()
    successes: Counter[str] = Counter()
    for episode in episodes:
        model = str(episode.metadata.get("model_used", "")).lower()
        model = next((name for name in MODELS if name in model), model)
        if model and episode.has_worked is not None:
            attempts[model] += 1
            successes[model] += episode.has_worked
    records = [
        ModelRecord(model, successes[model], count, round(successes[model] / count, 3), round(wilson(successes[model], count), 3))
        for model, count in attempts.items()
    ]
    return sorted(records, key=lambda one: (-one.lower_bound, -one.attempts, one.model))


def wilson(successes: int, attempts: int) -> float:
    """Lower end of the score interval of a share. Source: Wilson 1927."""
    if not attempts:
        return 0.0
    share, square = successes / attempts, Z * Z
    middle = share + square / (2 * attempts)
    spread = Z * math.sqrt(share * (1 - share) / attempts + square / (4 * attempts * attempts))
    return max(0.0, (middle - spread) / (1 + square / attempts))
