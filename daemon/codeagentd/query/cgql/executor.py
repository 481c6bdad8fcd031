"""The execution of a query: nodes are fetched for the most selective condition, edges are followed from there, and time
and rows are limited.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import TooLarge
from codeagentd.query.graph.edges import EVERY_KIND
from codeagentd.query.graph.relation_names import is_containment, kinds_of
from codeagentd.query.graph.traversal import AMBIGUOUS, steps
from codeagentd.store.connection import Database

from .ast import AllOf, AnyOf, Column, Comparison, EdgeDirection, EdgePattern, NodePattern, Not, Question
from .node_rows import NodeRow, fetched, fits, holds, of_numbers

SECONDS: Final = 3.0  # seconds for one query, since it shares the interpreter with all others
BINDINGS: Final = 100_000  # assignments of nodes to the path that are examined
FOLLOWED: Final = 1_000  # nodes followed at once

Binding = tuple[int, ...]  # a node's number for each node of the path


class Result(NamedTuple):
    """Rows of nodes, or of values if there are `values`; `more` is the number of rows that the limit left out."""

    columns: list[str]
    nodes: list[list[NodeRow]]
    values: list[list[Any]]
    more: int


def run(db: Database, question: Question, limit: int) -> Result:
    """Return at most `limit` rows that answer the query `question`. Errors: too_large for a query that takes too long
    or has too many matches.
    """
    return _Run(db, question).result(min(limit, question.limit if question.limit is not None else limit))


class _Run:
    """The execution of one query."""

    def __init__(self, db: Database, question: Question) -> None:
        self._db = db
        self._question = question
        self._until = time.monotonic() + SECONDS
        self._known: dict[int, NodeRow] = {}
        self._adjacent: dict[tuple[int, EdgePattern], list[int]] = {}
        self._own: dict[str, list[Any]] = defaultdict(list)
        self._others: list[Any] = []
        for part in _parts(question.condition):
            names = set(_variables(part))
            if len(names) == 1:
                self._own[names.pop()].append(part)
            else:
                self._others.append(part)

    def result(self, limit: int) -> Result:
        bindings = self._matched()
        self._in_time()
        columns = self._question.columns
        titles = [column.title for column in columns]
        if any(column.is_count for column in columns):
            rows = self._counted(columns, bindings)
            return Result(titles, [], rows[:limit], max(0, len(rows) - limit))
        places = self._places()
        picked = list(
            dict.fromkeys(tuple(binding[places[column.variable]] for column in columns) for binding in bindings)
        )
        if all(not column.field for column in columns):
            order = sorted(
                picked, key=lambda row: [(self._known[number].file, self._known[number].line, number) for number in row]
            )
            return Result(
                titles,
                [[self._known[number] for number in row] for row in order[:limit]],
                [],
                max(0, len(order) - limit),
            )
        rows = _distinct(
            [[self._value(column, number) for column, number in zip(columns, row, strict=True)] for row in picked]
        )
        return Result(titles, [], rows[:limit], max(0, len(rows) - limit))

    # -- matching
    def _matched(self) -> list[Binding]:
        """All assignments of nodes to the places of the path."""
        nodes, edges = self._question.nodes, self._question.edges
        if len(nodes) == 1:
            return self._checked([(row.number,) for row in self._fetch(nodes[0])])
        turned = self._weight(nodes[-1]) > self._weight(nodes[0])
        path = nodes[::-1] if turned else nodes
        ways = [_turned(edge) for edge in edges[::-1]] if turned else edges
        bindings: list[Binding] = [(row.number,) for row in self._fetch(path[0])]
        for edge, following in zip(ways, path[1:], strict=True):
            bindings = self._extended(bindings, edge, following)
        return self._checked([binding[::-1] for binding in bindings] if turned else bindings)

    def _weight(self, pattern: NodePattern) -> int:
        """The selectivity of a node's conditions: the higher, the fewer nodes match."""
        own = self._own.get(pattern.name, []) if pattern.name else []
        equal = sum(
            10
            for condition in own
            if isinstance(condition, Comparison) and condition.operator == "=" and condition.field in ("name", "file")
        )
        return equal + 2 * len(own) + bool(pattern.kind)

    def _fetch(self, pattern: NodePattern) -> list[NodeRow]:
        rows = fetched(self._db, pattern, self._own.get(pattern.name, []))
        self._known |= {row.number: row for row in rows}
        self._capped(len(rows) if self._question.edges else 0)
        return rows

    def _extended(self, bindings: list[Binding], edge: EdgePattern, pattern: NodePattern) -> list[Binding]:
        reached = self._reached({binding[-1] for binding in bindings}, edge)
        self._learn({end for ends in reached.values() for end in ends})
        own = self._own.get(pattern.name, [])
        good = {
            end
            for end in {end for ends in reached.values() for end in ends}
            if end in self._known and fits(self._known[end], pattern, own)
        }
        longer: list[Binding] = []
        for binding in bindings:
            longer += [(*binding, end) for end in reached.get(binding[-1], ()) if end in good]
            self._capped(len(longer))
        return longer

    def _checked(self, bindings: list[Binding]) -> list[Binding]:
        """The assignments in which a name that occurs twice stands for one node, and conditions on several nodes
        hold.
        """
        names = [node.name for node in self._question.nodes]
        twice = [
            (first, second)
            for first, name in enumerate(names)
            for second in range(first + 1, len(names))
            if name and name == names[second]
        ]
        bindings = [
            binding for binding in bindings if all(binding[first] == binding[second] for first, second in twice)
        ]
        if not self._others:
            return bindings
        places = self._places()
        return [
            item
            for item in bindings
            if all(holds(part, {name: self._known[item[at]] for name, at in places.items()}) for part in self._others)
        ]

    def _places(self) -> dict[str, int]:
        return {node.name: at for at, node in reversed(list(enumerate(self._question.nodes))) if node.name}

    # -- following edges
    def _reached(self, starts: set[int], edge: EdgePattern) -> dict[int, list[int]]:
        """The nodes whose distance from a start is in the edge's range, nearest first, by start."""
        if edge.most == 1:
            return self._next(starts, edge)
        reached: dict[int, list[int]] = {}
        total = 0
        for start in sorted(starts):
            distance = {start: 0}
            level = [start]
            for hop in range(1, edge.most + 1):
                adjacent = self._next(set(level), edge)
                level = [
                    end for end in dict.fromkeys(end for node in level for end in adjacent[node]) if end not in distance
                ]
                distance |= dict.fromkeys(level, hop)
                self._capped(total + len(distance))
            reached[start] = [end for end, hop in distance.items() if hop >= edge.least]
            total += len(reached[start])
        return reached

    def _next(self, numbers: set[int], edge: EdgePattern) -> dict[int, list[int]]:
        """The neighbours of each node along one edge, computed once for each node in a query."""
        plain = edge._replace(least=1, most=1)
        missing = sorted(number for number in numbers if (number, plain) not in self._adjacent)
        for start in range(0, len(missing), FOLLOWED):
            self._in_time()
            part = missing[start : start + FOLLOWED]
            ends: dict[int, dict[int, None]] = {number: {} for number in part}
            for source, other in self._followed(part, plain):
                ends[source][other] = None
            self._adjacent |= {(source, plain): list(others) for source, others in ends.items()}
        return {number: self._adjacent[number, plain] for number in numbers}

    def _followed(self, numbers: list[int], edge: EdgePattern) -> Iterator[tuple[int, int]]:
        kinds = kinds_of(edge.relation) if edge.relation else EVERY_KIND
        for forward in (True, False):
            if edge.way is (EdgeDirection.IN if forward else EdgeDirection.OUT):
                continue
            if kinds:
                yield from (
                    (step.start, step.end)
                    for step in steps(self._db, numbers, forward=forward, kinds=kinds)
                    if step.confidence != AMBIGUOUS
                )
            if not edge.relation or is_containment(edge.relation):
                yield from self._db.all("nodes.containing" if forward else "nodes.contained_by", (json.dumps(numbers),))

    def _learn(self, numbers: set[int]) -> None:
        self._known |= of_numbers(self._db, numbers - self._known.keys())

    # -- columns
    def _counted(self, columns: list[Column], bindings: list[Binding]) -> list[list[Any]]:
        """One row for each group, the one with the largest count first."""
        places = self._places()
        keys = [column for column in columns if not column.is_count]
        groups: Counter[tuple[Any, ...]] = Counter()
        for binding in bindings:
            groups[tuple(self._value(column, binding[places[column.variable]]) for column in keys)] += 1
        if not keys and not groups:
            groups[()] = 0
        rows = []
        for key, count in sorted(groups.items(), key=lambda item: (-item[1], list(map(str, item[0])))):
            rest = iter(key)
            rows.append([count if column.is_count else next(rest) for column in columns])
        return rows

    def _value(self, column: Column, number: int) -> Any:
        row = self._known[number]
        return row.field(column.field) if column.field else row.label

    # -- caps
    def _capped(self, count: int) -> None:
        if count > BINDINGS:
            raise TooLarge(
                f"the query matches in more than {BINDINGS:,} ways",
                remedy="say more of the nodes: a kind, a name, a file",
                parameter="query",
            )
        self._in_time()

    def _in_time(self) -> None:
        if time.monotonic() > self._until:
            raise TooLarge(
                f"the query takes longer than {SECONDS:g} s",
                remedy="say more of the nodes, or follow fewer hops",
                parameter="query",
            )


def _turned(edge: EdgePattern) -> EdgePattern:
    """The same edge, seen from its other end."""
    return edge._replace(
        way={
            EdgeDirection.OUT: EdgeDirection.IN,
            EdgeDirection.IN: EdgeDirection.OUT,
            EdgeDirection.EITHER: EdgeDirection.EITHER,
        }[edge.way]
    )


def _parts(condition: Any) -> list[Any]:
    """The conditions of a conjunction, or the condition alone."""
    if condition is None:
        return []
    return (
        [part for nested in condition.parts for part in _parts(nested)] if isinstance(condition, AllOf) else [condition]
    )


def _variables(condition: Any) -> Iterable[str]:
    if isinstance(condition, Comparison):
        yield condition.variable
    for part in (
        condition.parts
        if isinstance(condition, AllOf | AnyOf)
        else [condition.part]
        if isinstance(condition, Not)
        else []
    ):
        yield from _variables(part)


def _distinct(rows: list[list[Any]]) -> list[list[Any]]:
    """The distinct rows, in the order of their values; unknown values come last."""
    once = {tuple(row): row for row in rows}
    return sorted(
        once.values(),
        key=lambda row: [(value is None, isinstance(value, str), value if value is not None else 0) for value in row],
    )
