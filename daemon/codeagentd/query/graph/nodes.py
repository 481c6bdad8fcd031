"""The node of the graph that a label means, and short forms of nodes. If several nodes may be meant, all are
candidates.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from codeagentd.model.file_kinds import file_type
from codeagentd.model.ids import node_id, uid_of
from codeagentd.model.labels import bare, clean, label
from codeagentd.model.results.graph_results import NodeCandidate
from codeagentd.query.paging import Key
from codeagentd.query.retrieval import fts_expression
from codeagentd.query.symbols.aliases import aliased
from codeagentd.query.symbols.lookup import LABELS, MAX_CANDIDATES, Subject
from codeagentd.query.symbols.name_precedence import without_own
from codeagentd.query.symbols.name_resolution import NameResolution, called, decided
from codeagentd.query.symbols.near_names import near, near_paths
from codeagentd.store.connection import Database

from .federated_graph import FederatedGraph, Graph, shares
from .federated_graph import number as number_of
from .node_metrics import figures
from .traversal import AMBIGUOUS, steps

SCAN: Final = 2_000  # names with the same three-letter pieces that are compared
SHORTEST_PART: Final = 3  # letters from which a text is searched inside names: shorter ones are in most names
COMPARED: Final = 100  # nodes of one name that are compared; the most connected are listed

_SEPARATORS: Final = ("::", "#", "\\")


class Node(NamedTuple):
    """A node in short form; label and path are safe to show in answers."""

    number: int
    id: str
    label: str
    kind: str
    file: str
    language: str
    line_start: int
    line_end: int
    visibility: str

    @property
    def type(self) -> str:
        """`document` for prose, `code` for everything else."""
        return file_type(self.language)


class NodeMatch(NamedTuple):
    """The meaning of a label: one subject, or none and all candidates.

    `alike`: definitions that agree with the subject; `note` names these and others.
    """

    subject: Subject | None
    candidates: list[NodeCandidate]
    total: int
    alike: list[Subject] = []
    note: str = ""


def find(db: Database, query: str) -> NodeMatch:
    """Return the match of `query`: the node with this id or path; else the one with this label or name by the rule of
    `name_precedence`; else the only one whose name contains it.

    `name@file` limits the search to some files. The case of a name is ignored only if no node has the name exactly as
    written. Nodes with similar names are candidates, with `total` 0.
    """
    for text, place in _readings(query):
        if match := next(filter(None, _cascade(db, text, place)), None):
            return match
    return NodeMatch(None, _candidates(db, _near(db, bare(query))), 0)


def _near(db: Database, name: str) -> list[int]:
    """The nodes with a similar name or path."""
    if "/" not in name:
        return [symbol.id for symbol in near(db, name)]
    return [row[0] for path in near_paths(db, name) for row in db.all("nodes.of_file", {"path": path})]


def all_candidates(db: Database, match: NodeMatch) -> NodeMatch:
    """Return `match` for an answer that must be about a single definition: if there are several, they become
    candidates, even if they agree.
    """
    return (
        NodeMatch(
            None, _candidates(db, [match.subject.id, *(subject.id for subject in match.alike)]), 1 + len(match.alike)
        )
        if match.subject and match.alike
        else match
    )


def _readings(query: str) -> Iterator[tuple[str, str]]:
    """Yield the possible readings as (name, part of a path): an @ may also be a part of the name."""
    text = query.strip()
    yield text, ""
    name, at, place = text.rpartition("@")
    if at and name and place:
        yield name, place.removeprefix("./")


def written(db: Database, text: str) -> list[Key]:
    """Return the rows of the first few nodes with exactly the id, path or name `text`."""
    if row := _by_id(db, text):
        return [row]
    name = bare(text)
    rows = db.all("nodes.of_file", {"path": text.removeprefix("./")}) or (called(db, name) if name else [])
    remaining = {subject.id for subject in without_own([Subject(*row[:-1]) for row in rows])}
    return [row for row in rows if row[0] in remaining][:MAX_CANDIDATES]


def _by_id(db: Database, text: str) -> Key | None:
    uid = uid_of(text)
    row = db.row("symbols.by_uid", (uid,)) if uid is not None else None
    return (*row, 1) if row else None


def _cascade(db: Database, text: str, place: str) -> Iterator[NodeMatch | None]:
    if row := _by_id(db, text):
        yield _the_only(db, [row])
    if not place:
        yield _the_only(db, db.all("nodes.of_file", {"path": text.removeprefix("./")}))
    name = bare(text)
    if name:
        yield _by_rule(db, name, called(db, name, place))
    if name and not place and (others := aliased(db, name)):
        yield _node_match(db, decided(db, name, others)._replace(is_alias=True))
    if len(name) >= SHORTEST_PART:
        yield _by_rule(db, name, _alike(db, name, place, True))
        yield _the_only(db, _alike(db, name, place, False))
        yield _the_only(
            db, db.all("nodes.files_alike", {"text": name.lower(), "place": place, "limit": MAX_CANDIDATES})
        )


def _by_rule(db: Database, name: str, rows: list[Key]) -> NodeMatch | None:
    if not rows:
        return None
    return _node_match(db, decided(db, name, [Subject(*row[:-1]) for row in rows], rows[0][-1] - len(rows)))


def _node_match(db: Database, resolution: NameResolution) -> NodeMatch:
    if len(resolution.groups) > 1:
        every = [group[0].id for group in resolution.groups]
        return NodeMatch(None, _candidates(db, every), len(every) + resolution.unread)
    return NodeMatch(resolution.best, [], 1, resolution.subjects[1:], resolution.note)


def _the_only(db: Database, rows: list[Key]) -> NodeMatch | None:
    """The node of the only row; if there are several, a match with all as candidates; None without rows."""
    if len(rows) == 1:
        return NodeMatch(Subject(*rows[0][:-1]), [], 1)
    return NodeMatch(None, _candidates(db, [row[0] for row in rows]), rows[0][-1]) if rows else None


def _alike(db: Database, name: str, place: str, whole: bool) -> list[Key]:
    dotted = name.lower()
    for separator in _SEPARATORS:
        dotted = dotted.replace(separator, ".")
    last = dotted.rpartition(".")[2]
    match = fts_expression.trigrams((last,))
    if not match:
        return []
    suffix = f".{dotted}" if whole and last != dotted else ""
    parameters: dict[str, Any] = {
        "match": match,
        "scan": SCAN,
        "name": last,
        "suffix": suffix,
        "whole": whole,
        "place": place,
        "limit": MAX_CANDIDATES,
    }
    return db.all("nodes.alike", parameters) if whole or last == dotted else []


def _candidates(db: Database, every: list[int]) -> list[NodeCandidate]:
    """The candidates, the most connected first by the numbers of the last analysis."""
    counted = {number: item.degree for number, item in figures(db, every[:COMPARED]).items()}
    numbers = sorted(every[:COMPARED], key=lambda number: -counted.get(number, 0))[:MAX_CANDIDATES]
    known, degree = nodes(db, numbers), degrees(db, [number for number in numbers if number not in counted]) | counted
    candidates = [
        NodeCandidate(
            known[number].label,
            known[number].id,
            known[number].kind,
            known[number].file,
            known[number].line_start,
            degree[number],
        )
        for number in numbers
    ]
    return sorted(candidates, key=lambda item: (-item.degree, item.file, item.line))


def nodes(graph: Graph, numbers: Collection[int]) -> dict[int, Node]:
    """Return the nodes with these numbers, by number."""
    result = {}
    for index, db, natives in shares(graph, numbers):
        for row in db.all("nodes.cards", (json.dumps(natives),)):
            node = _node(*row)
            result[number_of(index, node.number)] = (
                _in_index(graph, index, node) if isinstance(graph, FederatedGraph) else node
            )
    return result


def _in_index(graph: FederatedGraph, index: int, node: Node) -> Node:
    """A node of one of several indexes, in the form of answers."""
    if not index:
        return node
    label = graph.qualified_label(index, node.label) if node.label == node.file else node.label
    return node._replace(
        number=number_of(index, node.number),
        id=graph.qualified_label(index, node.id),
        label=label,
        file=graph.qualified_label(index, node.file),
    )


def _node(
    number: int,
    uid: bytes,
    kind: int,
    name: str,
    module: str,
    path: str,
    language: str,
    is_file: int,
    first: int,
    last: int,
    access: str,
) -> Node:
    node_label = label(kind, name, module, path, is_file=bool(is_file))
    return Node(number, node_id(uid), node_label, LABELS[kind], clean(path), language or "", first, last, access)


def node_of(db: Database, subject: Subject) -> Node:
    """Return the node of `subject`, its short form."""
    return nodes(db, [subject.id])[subject.id]


def adjacent_nodes(db: Database, numbers: Collection[int]) -> dict[int, set[int]]:
    """Return the distinct neighbours of each of the nodes `numbers`, by number. They are connected by references that
    are not ambiguous and by containment, in either direction.
    """
    adjacent: dict[int, set[int]] = defaultdict(set)
    for forward in (True, False):
        for step in steps(db, numbers, forward=forward):
            if step.confidence != AMBIGUOUS:
                adjacent[step.start].add(step.end)
    parameters = (json.dumps(list(numbers)),)
    for start, end in [*db.all("nodes.containing", parameters), *db.all("nodes.contained_by", parameters)]:
        adjacent[start].add(end)
    return adjacent


def degrees(db: Database, numbers: Collection[int]) -> dict[int, int]:
    """Return the number of distinct neighbours of each of the nodes `numbers`, by number."""
    adjacent = adjacent_nodes(db, numbers)
    return {number: len(adjacent[number]) for number in numbers}
