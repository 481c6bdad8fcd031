"""The numbers of edges in the index by type."""

from __future__ import annotations

from collections import Counter

from codeagentd.model.kinds import EDGE_OF_REFERENCE, ReferenceKind
from codeagentd.store.connection import Database


def edge_counts(db: Database) -> dict[str, int]:
    """Return the numbers of references with a target in the repository, by the type of their edge, the most frequent
    first.
    """
    counts: Counter[str] = Counter()
    for kind, number in db.all("retrieval.edges_by_kind"):
        counts[EDGE_OF_REFERENCE[ReferenceKind(kind)]] += number
    return dict(counts.most_common())
