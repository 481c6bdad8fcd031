"""The neighbours of a node, also across the repositories of a workspace."""

from __future__ import annotations

import msgspec

from codeagentd.model.ids import outside_number, uid_of
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS, GraphNeighbour
from codeagentd.query.symbols.lookup import Subject

from .edges import EdgeFilter
from .federated_graph import FederatedGraph, number
from .federated_lookup import Place
from .neighbours import Relatives, relatives
from .nodes import nodes


def neighbours_of(place: Place, subjects: list[Subject], question: EdgeFilter) -> Relatives:
    """Return the neighbours of `subjects`, definitions in the index of `place` that an answer treats as one: first
    those in the same repository, then others.
    """
    graph, index = place.graph, place.at
    near = relatives(place.db, subjects, question)
    if len(graph.names) < 2:
        return near
    if not question.incoming:
        return near._replace(neighbours=[_outward(graph, index, neighbour) for neighbour in near.neighbours])
    neighbours = [_inward(graph, index, neighbour, 0) for neighbour in near.neighbours]
    notes = [near.note] if neighbours else []  # a note that nothing was found only comes from the node's own index
    for link in [link for subject in subjects for link in graph.uses(number(index, subject.id))]:
        if row := graph.database(link.user).row("symbols.by_uid", (link.uid,)):
            far = relatives(graph.database(link.user), [Subject(*row)], question)
            neighbours += [
                _inward(graph, link.user, neighbour, link.confidence)
                for neighbour in far.neighbours
                if neighbour.relation != "contains"
            ]
    once = {(item.id, item.relation): item for item in reversed(neighbours)}
    return Relatives(
        [item for item in neighbours if once.get((item.id, item.relation)) is item],
        "; ".join(notes if neighbours else [near.note]),
    )


def _inward(graph: FederatedGraph, index: int, neighbour: GraphNeighbour, doubt: int) -> GraphNeighbour:
    """A neighbour in one of the indexes, in the form of answers."""
    sure = CONFIDENCE_WORDS[max(CONFIDENCE_WORDS.index(neighbour.confidence), doubt)]
    label = graph.qualified_label(index, neighbour.label) if neighbour.label == neighbour.file else neighbour.label
    return msgspec.structs.replace(
        neighbour,
        id=graph.qualified_label(index, neighbour.id),
        label=label,
        file=graph.qualified_label(index, neighbour.file),
        confidence=sure,
    )


def _outward(graph: FederatedGraph, index: int, neighbour: GraphNeighbour) -> GraphNeighbour:
    """A neighbour in the form of answers; an external one is replaced by its definition, if another index has that."""
    uid = uid_of(neighbour.id)
    native = outside_number(uid) if uid else 0
    link = graph.link(index, native)
    if link is None:
        return _inward(graph, index, neighbour, 0)
    there = number(link.provider, link.symbol)
    node = nodes(graph, [there]).get(there)
    if node is None:
        return _inward(graph, index, neighbour, 0)
    sure = CONFIDENCE_WORDS[max(CONFIDENCE_WORDS.index(neighbour.confidence), link.confidence)]
    return msgspec.structs.replace(
        neighbour, label=node.label, id=node.id, file=node.file, line=node.line_start, confidence=sure
    )
