"""The metrics of nodes from the analysis of the whole graph, including the updates that edits have made since."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

import msgspec

from codeagentd.model.analysis import HUBS, Findings
from codeagentd.store.connection import Database

from .federated_graph import Graph, number, shares


class Figures(NamedTuple):
    """The stored metrics of one node."""

    community: int
    degree: int
    fan_in: int
    fan_out: int


def findings(db: Database) -> Findings | None:
    """Return the results of the last analysis, except for those of single nodes; None while there was no analysis."""
    row = db.row("analysis.kept")
    if row is None:
        return None
    nodes, exact, inferred, ambiguous, communities, isolated, thin = db.all("analysis.totals")[0]
    hubs, pillars = (
        [number for (number,) in db.all(f"analysis.{name}", {"limit": HUBS})] for name in ("hubs", "pillars")
    )
    return msgspec.structs.replace(
        msgspec.msgpack.decode(row[1], type=Findings), nodes=nodes, edges=(exact, inferred, ambiguous),
        communities=communities, isolated=isolated, thin=thin, hubs=hubs, pillars=pillars,
    )  # fmt: skip


def figures(graph: Graph, nodes: Collection[int]) -> dict[int, Figures]:
    """Return the stored metrics of `nodes`, by node; nodes that are newer than the analysis are missing."""
    return {
        number(index, native): Figures(*rest)
        for index, db, natives in shares(graph, nodes)
        for native, *rest in db.all("analysis.of_nodes", (json.dumps(natives),))
    }


def community_of(db: Database, node: int) -> int | None:
    """Return the number of the community of `node`; None if unknown."""
    metrics = figures(db, [node]).get(node)
    return metrics.community if metrics else None
