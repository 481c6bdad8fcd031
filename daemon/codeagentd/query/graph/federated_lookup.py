"""The lookup of a label in several repositories. `repository::label` names a repository; any other label is looked up
in the own repository, then in the only other one that contains it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from codeagentd.model.results.graph_results import NodeCandidate
from codeagentd.query.symbols.lookup import MAX_CANDIDATES, Subject
from codeagentd.store.connection import Database

from .federated_graph import OWN, SEPARATOR, FederatedGraph, number, place
from .nodes import Node, NodeMatch, find, nodes
from .traversal import Seeds, seeds_of_all


class FederatedMatch(NamedTuple):
    """The meaning of a label, and the index that contains it."""

    graph: FederatedGraph
    at: int
    node_match: NodeMatch

    @property
    def db(self) -> Database:
        """The database of the index that contains the node."""
        return self.graph.database(self.at)

    @property
    def subject(self) -> Subject | None:
        """The node, by the numbers of its index; None if the label has no meaning or several."""
        return self.node_match.subject


class Place(NamedTuple):
    """A node with the index that contains it and the definitions that agree with it; `note` names these and other
    definitions of the name.
    """

    graph: FederatedGraph
    at: int
    db: Database
    subject: Subject
    alike: list[Subject] = []
    note: str = ""

    @property
    def subjects(self) -> list[Subject]:
        """The node and the definitions that agree with it."""
        return [self.subject, *self.alike]

    @property
    def number(self) -> int:
        """The node's number in the graph."""
        return number(self.at, self.subject.id)

    @property
    def node(self) -> Node:
        """The node in the form of answers."""
        return nodes(self.graph, [self.number])[self.number]

    @property
    def seeds(self) -> Seeds:
        """The start symbols of a query about the node, by numbers in the graph."""
        seeds = seeds_of_all(self.db, self.subjects)
        return seeds._replace(ids=[number(self.at, symbol) for symbol in seeds.ids])


def find_node(graph: FederatedGraph, label: str) -> FederatedMatch:
    """Return the node that `label` means, in all repositories."""
    name, separator, rest = label.strip().partition(SEPARATOR)
    if separator and name in graph.names:
        index = _index(graph, name)
        if index is not None and (match := find(graph.database(index), rest)).total:
            return _defined(graph, index, match)
    match = find(graph.own, label)
    if match.total or len(graph.names) < 2:
        return _defined(graph, OWN, match)
    return _elsewhere(graph, label)


def placed(match: FederatedMatch) -> Place | None:
    """Return the place of the node of `match`; None if the label does not mean exactly one."""
    return (
        Place(match.graph, match.at, match.db, match.subject, match.node_match.alike, match.node_match.note)
        if match.subject
        else None
    )


def _index(graph: FederatedGraph, name: str) -> int | None:
    if name == graph.names[OWN]:
        return OWN
    return next((index for index, part in enumerate(graph.parts) if part.name == name), None)


def _elsewhere(graph: FederatedGraph, label: str) -> FederatedMatch:
    """The match of a label in the other repositories: the node of the only one that contains it, else all as
    candidates.
    """
    matches = [
        (index, match)
        for index, part in enumerate(graph.parts)
        if index and (match := find(part.database, label)).total
    ]
    if len(matches) == 1:
        return _defined(graph, *matches[0])
    candidates = [candidate for index, match in matches for candidate in _candidates(graph, index, match)]
    return FederatedMatch(
        graph, OWN, NodeMatch(None, candidates[:MAX_CANDIDATES], sum(match.total for _, match in matches))
    )


def _candidates(graph: FederatedGraph, index: int, match: NodeMatch) -> list[NodeCandidate]:
    if match.subject is not None:
        node = Place(graph, index, graph.database(index), match.subject).node
        return [NodeCandidate(node.label, node.id, node.kind, node.file, node.line_start, 0)]
    qualify = graph.qualified_label
    return [
        msgspec.structs.replace(candidate, id=qualify(index, candidate.id), file=qualify(index, candidate.file))
        for candidate in match.candidates
    ]


def _defined(graph: FederatedGraph, index: int, match: NodeMatch) -> FederatedMatch:
    """The match with an external symbol replaced by its definition, if another index has that."""
    if match.subject is None:
        return FederatedMatch(graph, index, NodeMatch(None, _candidates(graph, index, match), match.total))
    if match.subject.id < 0 and len(graph.names) > 1:
        there, native = place(graph.resolved_node(index, match.subject.id))
        if there != index:
            row = graph.database(there).row("federation.by_number", (native,))
            return (
                FederatedMatch(graph, there, NodeMatch(Subject(*row), [], 1))
                if row
                else FederatedMatch(graph, index, match)
            )
    return FederatedMatch(graph, index, match)
