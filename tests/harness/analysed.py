"""What is kept of a whole graph, beside what an analysis of the same index would keep, so that the two can be compared."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from codeagentd.analysis.node_metrics import rows_of, sums_of, weights_of
from codeagentd.model.analysis import HUBS, NodeRow, NodeSort
from codeagentd.pipeline.graph.analysis_process import graph_of
from codeagentd.query.graph.node_metrics import findings
from codeagentd.store.connection import Database
from tests.harness.stored_rows import stored_rows


def kept_and_found(index: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Figures of the nodes, sums of the communities, totals and ranks: as they are kept, and as the graph has them with the communities that are kept."""
    with closing(Database(index)) as db, db.transaction("DEFERRED"):
        rows, sums = stored_rows(db).nodes(), stored_rows(db).community_sums()
        told = findings(db)
        graph = graph_of(db)
    assert told is not None
    kept = {"nodes": {row.symbol: row for row in rows}, "sums": sums, "hubs": told.hubs, "pillars": told.pillars}
    kept |= {"totals": (told.nodes, told.edges, told.communities)}
    community = {row.symbol: row.community for row in rows}
    member = [community.get(node.number, -1) for node in graph.nodes]
    fresh = list(rows_of(graph, member, weights_of(graph), range(len(graph.nodes))))
    ranked = [[fresh[at].symbol for at in _ranked(fresh, place)] for place in (2, 3)]
    found = {
        "nodes": {row.symbol: row for row in fresh},
        "sums": {one: tuple(found) for one, found in sums_of(fresh).items()},
    }
    return kept, found | {
        "hubs": ranked[0],
        "pillars": ranked[1],
        "totals": (len(fresh), graph.counted(), len(set(member))),
    }


def _ranked(rows: list[NodeRow], column: int) -> list[int]:
    chosen = [at for at, row in enumerate(rows) if row.sort != NodeSort.NO_HUB]
    return sorted(chosen, key=lambda at: (-rows[at][column], at))[:HUBS]


def differences(index: Path) -> dict[str, list[Any]]:
    """Where the two are not the same, by what it is of."""
    kept, found = kept_and_found(index)
    told = {what: [kept[what], found[what]] for what in ("hubs", "pillars", "totals") if kept[what] != found[what]}
    for what in ("nodes", "sums"):
        pairs = [(kept[what].get(one), found[what].get(one)) for one in kept[what].keys() | found[what].keys()]
        told |= (
            {what: [pair for pair in pairs if pair[0] != pair[1]]} if any(one != other for one, other in pairs) else {}
        )
    return told
