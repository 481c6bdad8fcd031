"""Guidance from earlier attempts at similar tasks, and a recommendation of a model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from codeagentd.memory.candidates import (
    Filters,
    Vector,
    all_of,
    by_words,
    cosines,
    embedded,
    expression,
    words_in,
)
from codeagentd.memory.memory_rows import Row, rows_of, snippet
from codeagentd.memory.memory_search import hits
from codeagentd.memory.memory_store import Code, MemoryStore, as_json
from codeagentd.memory.vectors import known_vector
from codeagentd.model.identifier_words import split_words
from codeagentd.model.reflection import Evidence, Guidance, ModelRecord, Recommendation
from codeagentd.query.retrieval.question import Query
from codeagentd.query.retrieval.question import read as read_question
from codeagentd.store.memory_backend import Clauses, MemoryConnection

from .episodes import MAX_FINDINGS, errors_of, worked
from .failure_kinds import kind_of
from .failure_locations import traced
from .failures import Fact, read

CANDIDATES: Final = 40  # episodes that a search finds and compares
SHOWN: Final = 5  # episodes shown of each outcome
SIMILAR: Final = 0.4  # similarity from which an episode is evidence: below, only a word or two are common
SAME_ERROR: Final = 0.3  # addition if the episode had the same error
REQUESTED_ERROR: Final = 0.4  # addition if it had the error in the question: this alone makes it evidence
Z: Final = 1.96  # standard deviations of a two-sided interval of 95 %
COUNTED: Final = 5_000  # episodes that are counted
MODELS: Final = ("haiku", "sonnet", "opus")


class Episode(NamedTuple):
    """An episode and its outcome: True, False, or None if it does not state one."""

    row: Row
    metadata: dict[str, Any]
    has_worked: bool | None


def improved_attempt(memories: MemoryStore, code: Code, task: str, output: str, error_pattern: str) -> Guidance:
    """Return the approaches that worked and those that failed for tasks similar to `task`, and the resulting advice."""
    facts = read(error_pattern) or read(output)
    question = " ".join([task, error_pattern, *(f"{fact.error} {fact.message}" for fact in facts[:3])])[:1_000]
    near = _similar(memories, code, question, task, error_pattern, facts)
    good = [evidence for episode, evidence in near if episode.has_worked][:SHOWN]
    bad = [evidence for episode, evidence in near if episode.has_worked is False][:SHOWN]
    unsaid = sum(episode.has_worked is None for episode, _ in near)
    return Guidance(
        good,
        bad,
        _recommended(good, bad, facts),
        [evidence.id for evidence in (*good, *bad)],
        [failure.view() for failure in traced(code, facts[:MAX_FINDINGS])],
        f"{unsaid} similar episodes do not say how they ended" if unsaid else "",
    )


def _similar(
    memories: MemoryStore, code: Code, question: str, task: str, error_pattern: str, facts: Sequence[Fact]
) -> list[tuple[Episode, Evidence]]:
    """The episodes that count as evidence, the most similar first."""
    if not read_question(question).words:
        return []
    embedding = embedded(memories.embedder, question)
    with memories.store.read() as db:
        vector = known_vector(db, *embedding)
        matches, _ = hits(memories, db, code, question, vector, Filters(type="episode"), CANDIDATES)
        if error_pattern.strip():  # an episode with the same error may have had another task
            by_error, _ = hits(memories, db, code, error_pattern[:1_000], Vector(), Filters(type="episode"), CANDIDATES)
            matches += [hit for hit in by_error if hit.row.number not in {match.row.number for match in matches}]
        near = dict(cosines(db, vector, [hit.row.number for hit in matches]))
        episodes = {episode.row.number: episode for episode in _episodes(db, [hit.row for hit in matches])}
    task_words, classes, requested_errors = (
        words_in(task),
        {fact.error for fact in facts if fact.error},
        _requested_errors(error_pattern),
    )
    chosen = []
    for hit in matches:
        episode = episodes[hit.row.number]
        has_met = _has_met(requested_errors, episode)
        likeness = max(_share(task_words, episode), near.get(hit.row.number, 0.0))
        likeness += (
            REQUESTED_ERROR if has_met else SAME_ERROR if not requested_errors and classes & _errors(episode) else 0.0
        )
        if likeness >= SIMILAR:
            chosen.append(
                (not has_met, -likeness, episode, _evidence(episode, min(1.0, likeness), hit.standing.status))
            )
    return [
        (episode, evidence) for *_, episode, evidence in sorted(chosen, key=lambda entry: (*entry[:2], entry[3].id))
    ]


def _requested_errors(pattern: str) -> list[str]:
    """The errors in a pattern of the caller, in lower case: those in it if it is a tool's output, else the pattern
    itself.
    """
    return [_flat(error) for error in errors_of(read(pattern)) or [pattern] if error.strip()]


def _has_met(errors: Sequence[str], episode: Episode) -> bool:
    """Whether an attempt had one of these errors, by its stored errors and the stored part of its feedback."""
    met = [
        _flat(text) for text in (*_all_errors(episode), str(episode.metadata.get("feedback", "")), episode.row.content)
    ]
    return any(error in text for error in errors for text in met)


def _all_errors(episode: Episode) -> list[str]:
    """The errors of an episode, each with its message."""
    further = episode.metadata.get("further_errors")
    result = [
        ": ".join(filter(None, (str(finding.get("error") or ""), str(finding.get("message") or ""))))
        for finding in _findings(episode)
    ]
    return [*result, *map(str, further if isinstance(further, list) else ())]


def _flat(text: str) -> str:
    return " ".join(text.lower().split())


def _share(words: set[str], episode: Episode) -> float:
    """The share of the task's words that the episode contains."""
    own = words_in(f"{episode.row.title}\n{episode.metadata.get('task', '')}\n{episode.row.content}")
    return len(words & own) / len(words) if words else 0.0


def _errors(episode: Episode) -> set[str]:
    return {str(finding.get("error")) for finding in _findings(episode)} - {"None", ""}


def _findings(episode: Episode) -> list[dict[str, Any]]:
    findings = episode.metadata.get("findings")
    return [finding for finding in findings if isinstance(finding, dict)] if isinstance(findings, list) else []


def _episodes(db: MemoryConnection, rows: Sequence[Row]) -> list[Episode]:
    resolving = {memory for (memory,) in db.all("reflection.resolving", (as_json([row.id for row in rows]),))}
    result = []
    for row in rows:
        metadata = msgspec.json.decode(row.metadata)
        result.append(
            Episode(row, metadata, worked(str(metadata.get("outcome", "")), resolved_a_task=row.id in resolving))
        )
    return result


def _evidence(episode: Episode, similarity: float, status: str) -> Evidence:
    metadata = episode.metadata
    lesson = metadata.get("reflection") or {}
    summary = (
        lesson.get("general_lesson" if episode.has_worked else "root_cause")
        or lesson.get("what_went_wrong")
        or episode.row.content[:300]
    )
    return Evidence(
        episode.row.id,
        round(similarity, 3),
        _approach(episode),
        str(summary)[:300],
        str(metadata.get("task", ""))[:200],
        str(metadata.get("model_used", "")),
        ", ".join(sorted(_errors(episode))),
        status if status not in ("current", "unknown") else "",
    )


def _approach(episode: Episode) -> str:
    """The approach of an episode; '' if it only repeats the task, because advice must not warn against the task
    itself.
    """
    task = str(episode.metadata.get("task", "")).strip()
    approach = str(episode.metadata.get("approach") or episode.row.title or snippet(episode.row.content)).strip()
    return "" if approach == task else approach[:300]


def _recommended(good: Sequence[Evidence], bad: Sequence[Evidence], facts: Sequence[Fact]) -> str:
    tried = [f"{evidence.approach} ({evidence.id})" for evidence in bad if evidence.approach]
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


def model_effectiveness(memories: MemoryStore, pattern: str, feedback_type: str) -> Recommendation:
    """Return the model to recommend for tasks that `pattern` describes. It is the one with the highest lower bound of
    its share of successes, because few attempts prove little.
    """
    with memories.store.read() as db:
        episodes, some = _matching(db, read_question(pattern))
    if feedback_type:
        episodes = [episode for episode in episodes if episode.metadata.get("feedback_type") == feedback_type]
    records = _records(episodes)
    reasons = [f"{len(episodes)} episodes match{' with some of the words' if some and episodes else ''}"]
    reasons += [
        f"{record.model} succeeded in {record.successes} of {record.attempts} (at least {record.lower_bound:.0%} with "
        "95 % confidence)"
        for record in records
    ]
    if silent := len(episodes) - sum(record.attempts for record in records):
        reasons.append(f"{silent} do not name a model, or how they ended")
    best = records[0] if records and records[0].successes else None
    if best is None:
        reasons.append(
            "no model has succeeded yet"
            if records
            else "there is nothing to compare: reflect, and store with type episode, record attempts"
        )
    return Recommendation(
        best.lower_bound if best else 0.0, "; ".join(reasons), records, len(episodes), best.model if best else ""
    )


def _matching(db: MemoryConnection, question: Query) -> tuple[list[Episode], bool]:
    """The episodes whose task contains all words, or, if there are none, at least half of them; and whether it is the
    latter.

    Only the task is compared, not the outcome, which does not describe the task.
    """
    words = words_in(" ".join(question.words))
    for match, least in ((_every(question), len(words)), (expression(question), (len(words) + 1) // 2)):
        numbers = [number for number, _ in by_words(db, match, Filters(type="episode"), COUNTED).ranked]
        result = [
            episode
            for episode in _episodes(db, list(rows_of(db, numbers).values()))
            if len(words & words_in(_task(episode))) >= least
        ]
        if result:
            return result, least < len(words)
    return [], True


def _task(episode: Episode) -> str:
    """The task of an episode; for a manually written one without a task, its title and content."""
    if task := str(episode.metadata.get("task") or ""):
        return task
    return "" if "reflection" in episode.metadata else f"{episode.row.title}\n{episode.row.content}"


def _every(question: Query) -> Clauses:
    """The condition for texts with every word. A name may match as a whole or by its parts: `sha256` is stored as one
    word.
    """
    names = [(name, split_words(name)) for name in question.names]
    parts = {part for _, words in names for part in words}
    plain = [word for word in question.words if word not in parts]
    return [*all_of(plain), *((name.lower(), word) for name, words in names for word in words)]


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
        ModelRecord(
            model,
            successes[model],
            count,
            round(successes[model] / count, 3),
            round(wilson(successes[model], count), 3),
        )
        for model, count in attempts.items()
    ]
    return sorted(records, key=lambda record: (-record.lower_bound, -record.attempts, record.model))


def wilson(successes: int, attempts: int) -> float:
    """Return the lower end of the score interval of the proportion `successes` / `attempts`. Source: Wilson 1927."""
    if not attempts:
        return 0.0
    share, square = successes / attempts, Z * Z
    middle = share + square / (2 * attempts)
    spread = Z * math.sqrt(share * (1 - share) / attempts + square / (4 * attempts * attempts))
    return max(0.0, (middle - spread) / (1 + square / attempts))
