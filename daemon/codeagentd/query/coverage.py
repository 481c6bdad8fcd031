"""How much of the code in some languages is understood? Counted once a generation: every answer without edges asks it."""

from __future__ import annotations

from codeagent_protocol.status import Coverage
from codeagentd.store.connection import Database

_counted: dict[tuple[str, str], tuple[int, int, Coverage]] = {}  # (index, family) -> (generation, files that are not parsed whole, coverage)


def covered(db: Database, family: str) -> tuple[int, Coverage]:
    """(files that are not parsed whole, what became of all references) of a family of languages, a JSON array."""
    key, generation = (db.connection.filename, family), int(db.value("writer.meta", ("generation",), 0))
    known = _counted.get(key)
    if known is None or known[0] != generation or not generation:
        whole, *counts = db.one("graph.coverage", {"family": family}) or (0,)
        known = _counted[key] = (generation, whole or 0, Coverage(*(count or 0 for count in counts)))
    return known[1:]
