"""The stored analysis of the whole graph, with the updates of its values for single nodes after each commit.

After each transaction, degrees, the sums of communities and the numbers of edges are those of a whole analysis. New
symbols join the community that they are connected to most closely. Results that only a whole analysis can compute stay
as they were until enough has changed.
"""

from __future__ import annotations

import json
from array import array
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from codeagentd.analysis.graph import Graph
from codeagentd.analysis.node_metrics import nearest, rows_of, sums_of, weights_of
from codeagentd.base.limits import BULK_RESOLVE_FILES
from codeagentd.model.analysis import NODE_COLUMNS, Analysis, NodeRow, Sums
from codeagentd.store.connection import Database

from .neighbourhood import MOST, neighbourhood_graph, touched_nodes

REMEMBERED: Final = 10 * MOST  # touched nodes that are remembered for an analysis that runs meanwhile

_NOBODY: Final = Sums(0, 0, 0, 0, 0, 0)


class IncrementalMetrics:
    """Stores analyses and keeps them up to date; used by the indexer's thread alone.

    `begin` is called before a batch and after it, `stop_following` where a first index is written, `follow` at the end
    of each transaction that changes the graph.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._is_watching = False
        self._since = 0  # the generation after which `_touched` has everything
        self._touched: deque[tuple[int, set[int]]] = deque()

    def begin(self, files: int = 0) -> None:
        """Note changes from now on. Where `files`, the number of files that change, is large, nothing is noted: a new
        analysis of the whole graph is quicker.
        """
        if files > BULK_RESOLVE_FILES:
            self.stop_following()
        elif not self._is_watching:
            self._database.run("following.begin")
            self._database.run("following.forget")
            self._is_watching = True
            self._forget()

    def stop_following(self) -> None:
        """Stop noting changes; the next analysis of the whole graph computes everything again."""
        if self._is_watching:
            self._database.run("following.end")
            self._is_watching = False
        self._database.run("analysis.lose")

    def follow(self) -> None:
        """Update the stored values of nodes and communities after the changes that this transaction made."""
        if not self._is_watching:
            return
        changed = touched_nodes(self._database)
        self._database.run("following.forget")
        if changed is None:
            self._forget()
            self._database.run("analysis.lose")
            return
        if changed:
            self._remember(changed)
        self._renew(changed)

    def write_analysis(self, analysis: Analysis) -> None:
        """Replace the stored analysis by `analysis`, updated by the changes that happened while it was computed (0.2 s
        for 60,000 symbols).
        """
        if analysis.index != self._meta("born"):
            return  # that index was damaged, and is built again
        with self._database.transaction():
            self._database.run("analysis.clear")
            self._database.insert("analysis.put_node", NODE_COLUMNS, array("q", analysis.nodes))
            self._put(analysis.communities)
            is_known = self._is_watching and analysis.generation >= self._since
            row = (analysis.generation, msgspec.msgpack.encode(analysis.findings), 0 if is_known else None)
            self._database.run("analysis.put", row)
            self._renew(
                {node for generation, nodes in self._touched if generation > analysis.generation for node in nodes}
            )

    def _meta(self, name: str) -> int:
        return int(self._database.value("writer.meta", (name,), 0))

    def _forget(self) -> None:
        self._touched.clear()
        self._since = self._meta("generation")

    def _remember(self, changed: set[int]) -> None:
        self._touched.append((self._meta("generation"), changed))
        while sum(len(nodes) for _, nodes in self._touched) > REMEMBERED:
            self._since, _ = self._touched.popleft()

    def _renew(self, nodes: set[int]) -> None:
        """Compute the values of some nodes again, unless changes are not noted."""
        _, changed, _ = self._database.row("analysis.state") or (0, None, 0)
        if changed is None:
            return
        count = 0
        if nodes:
            graph = neighbourhood_graph(self._database, nodes)
            if graph is None:
                self._database.run("analysis.lose")
                return
            count = 1 + self._write(graph, nodes)
        self._database.run("analysis.note_changed", {"nodes": count, "generation": self._meta("generation")})

    def _write(self, graph: Graph, nodes: set[int]) -> int:
        """Write the values of some nodes. Returns how many of them have changed."""
        database = self._database
        at = {node.number: place for place, node in enumerate(graph.nodes)}
        before = [NodeRow(*row) for row in database.all("analysis.rows", (json.dumps(sorted(at.keys() | nodes)),))]
        member = {at[row.symbol]: row.community for row in before if row.symbol in at}
        weights = weights_of(graph)
        fresh = nearest(
            [place for place in range(len(at)) if place not in member],
            weights,
            member,
            database.value("analysis.next_community"),
        )
        names = {community: graph.file(place).path for place, community in fresh.items()}
        member |= fresh
        was = {row for row in before if row.symbol in nodes}
        now = set(rows_of(graph, member, weights, [at[node] for node in nodes if node in at]))
        database.run_many("analysis.drop_node", [(row.symbol,) for row in was - now])
        database.run_many("analysis.put_node", now - was)
        self._put(self._summed(was - now, now - was, names))
        return len({row.symbol for row in was ^ now})

    def _summed(
        self, went: Iterable[NodeRow], came: Iterable[NodeRow], names: Mapping[int, str]
    ) -> dict[int, tuple[str, Sums]]:
        """Return the communities of some rows after these were removed and added. `names`: those of new communities."""
        less, more = sums_of(went), sums_of(came)
        concerned = sorted(less.keys() | more.keys())
        stored = {
            number: (name, Sums(*sums))
            for number, name, *sums in self._database.all("analysis.sums", (json.dumps(concerned),))
        }
        result = {}
        for community in concerned:
            name, sums = stored.get(community) or (names[community], _NOBODY)
            parts = zip(sums, less.get(community, _NOBODY), more.get(community, _NOBODY), strict=True)
            result[community] = name, Sums(*(had - lost + gained for had, lost, gained in parts))
        return result

    def _put(self, communities: Mapping[int, tuple[str, Sums]]) -> None:
        rows = [
            (community, name, sums.size, round(sums.cohesion, 4), *sums[1:])
            for community, (name, sums) in communities.items()
        ]
        self._database.run_many("analysis.put_community", rows)
        self._database.run("analysis.drop_empty")
