"""Which node of several repositories does a label mean? `repository::label` says where; else the own one comes first,
then whoever alone has it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from codeagentd.model.results.graph_results import NodeCandidate
from codeagentd.query.symbols.lookup import MAX_CANDIDATES, Subject
from codeagentd.store.connection import Database

from .federated_graph import OWN, SEPARATOR, FederatedGraph, number, place
from .nodes import Meant, Node, find, nodes
from .traversal import Seeds, seeds_of_all


class FederatedMatch(NamedTuple):
    """What a label means, and in which of the indexes that is."""

    graph: FederatedGraph
    at: int
    meant: Meant

    @property
    def db(self) -> Database:
        """The index that has it."""
        return self.graph.database(self.at)

    @property
    def subject(self) -> Subject | None:
        """The node, by its index's own numbers; None where the label means none, or several."""
        return self.meant.subject


class Place(NamedTuple):
    """A node that a label means, with the index that has it, and the definitions that agree with it; `note` names these
    and others of the name.
    """

    graph: FederatedGraph
    at: int
    db: Database
    subject: Subject
    alike: list[Subject] = []
    note: str = ""

    @property
    def subjects(self) -> list[Subject]:
        """The node with the definitions that agree with it."""
        return [self.subject, *self.alike]

    @property
    def number(self) -> int:
        """Its number among all indexes."""
        return number(self.at, self.subject.id)

    @property
    def node(self) -> Node:
        """The node as answers show it."""
        return nodes(self.graph, [self.number])[self.number]

    @property
    def seeds(self) -> Seeds:
        """What a question about it starts from, by numbers among all indexes."""
        result = seeds_of_all(self.db, self.subjects)
        return result._replace(ids=[number(self.at, one) for one in result.ids])


def sought(graph: FederatedGraph, asked: str) -> FederatedMatch:
    """The node that a label means in all repositories."""
    name, separator, rest = asked.strip().partition(SEPARATOR)
    if separator and name in graph.names:
        index = _index(graph, name)
        if index is not None and (meant := find(graph.database(index), rest)).total:
            return _defined(graph, index, meant)
    meant = find(graph.own, asked)
    if meant.total or len(graph.names) < 2:
        return _defined(graph, OWN, meant)
    return _elsewhere(graph, asked)


def placed(found: FederatedMatch) -> Place | None:
    """The node, where the label means one."""
    return (
        Place(found.graph, found.at, found.db, found.subject, found.meant.alike, found.meant.note)
        if found.subject
        else None
    )


def _index(graph: FederatedGraph, name: str) -> int | None:
    if name == graph.names[OWN]:
        return OWN
    return next((index for index, part in enumerate(graph.parts) if part.name == name), None)


def _elsewhere(graph: FederatedGraph, asked: str) -> FederatedMatch:
    """What the other repositories have under a label: the node of the only one that has it, else all as candidates."""
    result = [
        (index, meant)
        for index, part in enumerate(graph.parts)
        if index and (meant := find(part.database, asked)).total
    ]
    if len(result) == 1:
        return _defined(graph, *result[0])
    candidates = [candidate for index, meant in result for candidate in _candidates(graph, index, meant)]
    return FederatedMatch(graph, OWN, Meant(None, candidates[:MAX_CANDIDATES], sum(meant.total for _, meant in result)))


def _candidates(graph: FederatedGraph, index: int, meant: Meant) -> list[NodeCandidate]:
    if meant.subject is not None:
        node = Place(graph, index, graph.database(index), meant.subject).node
        return [NodeCandidate(node.label, node.id, node.kind, node.file, node.line_start, 0)]
    told = graph.qualified_label
    return [
        msgspec.structs.replace(candidate, id=told(index, candidate.id), file=told(index, candidate.file))
        for candidate in meant.candidates
    ]


def _defined(graph: FederatedGraph, index: int, meant: Meant) -> FederatedMatch:
    """The same; of what an index has as external the definition, where another index has that."""
    if meant.subject is None:
        return FederatedMatch(graph, index, Meant(None, _candidates(graph, index, meant), meant.total))
    if meant.subject.id < 0 and len(graph.names) > 1:
        there, native = place(graph.meant(index, meant.subject.id))
        if there != index:
            row = graph.database(there).one("federation.by_number", (native,))
            return (
                FederatedMatch(graph, there, Meant(Subject(*row), [], 1))
                if row
                else FederatedMatch(graph, index, meant)
            )
    return FederatedMatch(graph, index, meant)
