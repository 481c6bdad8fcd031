"""Which node of the graph does a label mean, and what is it in short? A label that several have is never guessed at: all are told."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from codeagentd.model.graph_results import NodeCandidate
from codeagentd.model.ids import name_key, node_id, uid_of
from codeagentd.model.labels import bare, clean, label
from codeagentd.model.sorts import file_type
from codeagentd.store.connection import Database

from . import terms
from .analysis import figures
from .part import Key
from .several import Graph, Several, shares
from .several import number as number_of
from .steps import AMBIGUOUS, FILES, steps
from .symbols import LABELS, MAX_CANDIDATES, Subject, named

SCAN: Final = 2_000  # names with the same three-letter pieces that are looked at
SHORTEST_PART: Final = 3  # letters of a name that are looked for inside of names: fewer are in most
COMPARED: Final = 100  # nodes of one name, of which the most connected are told

_SEPARATORS: Final = ("::", "#", "\\")
_KIND, _PARENT = 4, 9  # columns of a row


class Node(NamedTuple):
    """A node in short; label and path are fit for answers."""

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


class Meant(NamedTuple):
    """What a label means: one subject, or none, with all that it could mean."""

    subject: Subject | None
    candidates: list[NodeCandidate]
    total: int


def find(db: Database, asked: str) -> Meant:
    """The node with this id; else the only one with this label, bare name or path, then with a name that contains it. `name@file` narrows to files.

    A name counts in any case only where nothing is written just so.
    """
    for text, place in _readings(asked):
        for rows in _cascade(db, text, place):
            if len(rows) == 1:
                return Meant(Subject(*rows[0][:-1]), [], 1)
            if rows:
                return Meant(None, _candidates(db, rows), rows[0][-1])
    return Meant(None, [], 0)


def _readings(asked: str) -> Iterator[tuple[str, str]]:
    """(name, part of a path): an @ may belong to the name."""
    text = asked.strip()
    yield text, ""
    name, at, place = text.rpartition("@")
    if at and name and place:
        yield name, place.removeprefix("./")


def written(db: Database, text: str) -> list[Key]:
    """The first few nodes that are called just so: by id, path or name."""
    return next(filter(None, _written(db, text, "")), [])[:MAX_CANDIDATES]


def _cascade(db: Database, text: str, place: str) -> Iterator[list[Key]]:
    yield from _written(db, text, place)
    name = bare(text)
    if len(name) >= SHORTEST_PART:
        for whole in (True, False):
            yield _alike(db, name, place, whole)
        yield db.all("nodes.files_alike", {"text": name.lower(), "place": place, "limit": MAX_CANDIDATES})


def _written(db: Database, text: str, place: str) -> Iterator[list[Key]]:
    uid = uid_of(text)
    if uid is not None and (row := db.one("symbols.by_uid", (uid,))):
        yield [(*row, 1)]
    if not place:
        yield db.all("nodes.of_file", {"path": text.removeprefix("./")})
    if name := bare(text):
        rows = named(db, name, place, COMPARED)
        yield _without_files(rows) or _without_files(_of_name(db, name, place)) or rows


def _of_name(db: Database, name: str, place: str) -> list[Key]:
    return db.all("symbols.by_name", {"key": name_key(name), "name": name, "suffix": "", "place": place, "documents": False, "limit": COMPARED})


def _without_files(rows: list[Key]) -> list[Key]:
    """A file is called by its path: what else has the name of its module comes first."""
    others = [row for row in rows if row[_KIND] not in FILES or row[_PARENT] is not None]
    return [(*row[:-1], row[-1] - len(rows) + len(others)) for row in others]


def _alike(db: Database, name: str, place: str, whole: bool) -> list[Key]:
    dotted = name.lower()
    for separator in _SEPARATORS:
        dotted = dotted.replace(separator, ".")
    last = dotted.rpartition(".")[2]
    match = terms.trigrams((last,))
    if not match:
        return []
    suffix = f".{dotted}" if whole and last != dotted else ""
    asked: dict[str, Any] = {"match": match, "scan": SCAN, "name": last, "suffix": suffix, "whole": whole, "place": place, "limit": MAX_CANDIDATES}
    return db.all("nodes.alike", asked) if whole or last == dotted else []


def _candidates(db: Database, rows: list[Key]) -> list[NodeCandidate]:
    """The most connected first, as far as an analysis has counted."""
    counted = {number: one.degree for number, one in figures(db, [row[0] for row in rows]).items()}
    numbers = sorted((row[0] for row in rows), key=lambda number: -counted.get(number, 0))[:MAX_CANDIDATES]
    known, degree = nodes(db, numbers), degrees(db, [number for number in numbers if number not in counted]) | counted
    found = [NodeCandidate(known[one].label, known[one].id, known[one].kind, known[one].file, known[one].line_start, degree[one]) for one in numbers]
    return sorted(found, key=lambda one: (-one.degree, one.file, one.line))


def nodes(graph: Graph, numbers: Collection[int]) -> dict[int, Node]:
    """Nodes by number."""
    found = {}
    for index, db, natives in shares(graph, numbers):
        for row in db.all("nodes.cards", (json.dumps(natives),)):
            node = _node(*row)
            found[number_of(index, node.number)] = _in_index(graph, index, node) if isinstance(graph, Several) else node
    return found


def _in_index(graph: Several, index: int, node: Node) -> Node:
    """A node of one of several indexes, as answers show it."""
    if not index:
        return node
    label = graph.told(index, node.label) if node.label == node.file else node.label
    return node._replace(number=number_of(index, node.number), id=graph.told(index, node.id), label=label, file=graph.told(index, node.file))


def _node(number: int, uid: bytes, kind: int, name: str, module: str, path: str, language: str, is_file: int, first: int, last: int, access: str) -> Node:
    told = label(kind, name, module, path, is_file=bool(is_file))
    return Node(number, node_id(uid), told, LABELS[kind], clean(path), language or "", first, last, access)


def node_of(db: Database, subject: Subject) -> Node:
    """A subject as a node."""
    return nodes(db, [subject.id])[subject.id]


def around(db: Database, numbers: Collection[int]) -> dict[int, set[int]]:
    """The distinct neighbours of each node, by references that are not ambiguous and by containment, whichever way these point."""
    found: dict[int, set[int]] = defaultdict(set)
    for forward in (True, False):
        for step in steps(db, numbers, forward=forward):
            if step.confidence != AMBIGUOUS:
                found[step.start].add(step.end)
    asked = (json.dumps(list(numbers)),)
    for start, end in [*db.all("nodes.containing", asked), *db.all("nodes.contained_by", asked)]:
        found[start].add(end)
    return found


def degrees(db: Database, numbers: Collection[int]) -> dict[int, int]:
    """How many distinct neighbours each node has."""
    found = around(db, numbers)
    return {number: len(found[number]) for number in numbers}
