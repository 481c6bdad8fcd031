"""The syntax tree of a query: its path, conditions and columns as values, with the vocabularies that they use."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

TEXTS: Final = ("kind", "name", "file", "lang", "visibility")
NUMBERS: Final = ("loc", "fan_in", "fan_out", "degree", "community")
FIELDS: Final = (*TEXTS, *NUMBERS)
ANALYSED: Final = frozenset({"fan_in", "fan_out", "degree", "community"})  # fields that only an analysis provides
FARTHEST: Final = 8  # maximum hops of one variable-length edge (page 002's origin)
DEEPEST: Final = 50  # nesting of conditions
LONGEST: Final = 4_000  # characters of a query
LONGEST_PATH: Final = 10  # maximum number of nodes of a path
LONGEST_EXPRESSION: Final = 500  # characters of a regular expression


class EdgeDirection(Enum):
    """The direction in which a query follows an edge."""

    OUT = "->"
    IN = "<-"
    EITHER = "-"


class NodePattern(NamedTuple):
    """A node of the path; '' stands for no name, or for any kind."""

    name: str
    kind: str


class EdgePattern(NamedTuple):
    """An edge of the path, with its range of hops; '' stands for any relation."""

    way: EdgeDirection
    relation: str
    least: int
    most: int


class Comparison(NamedTuple):
    """A comparison of a variable's field with a value; for `=~` the value is a compiled expression."""

    variable: str
    field: str
    operator: str
    value: Any


class Not(NamedTuple):
    """The negation of a condition."""

    part: Any


class AllOf(NamedTuple):
    """The conjunction of conditions: all have to hold."""

    parts: list[Any]


class AnyOf(NamedTuple):
    """The disjunction of conditions: at least one has to hold."""

    parts: list[Any]


class Never(NamedTuple):
    """The reserved condition has(…), which is always false."""


class Column(NamedTuple):
    """A column of the result: a node, one of its fields, or a count. `title` is the column's name."""

    title: str
    variable: str = ""
    field: str = ""
    is_count: bool = False


class Question(NamedTuple):
    """A whole query: the path as nodes and edges, the condition, the columns of the result, and the limit."""

    nodes: list[NodePattern]
    edges: list[EdgePattern]
    condition: Any
    columns: list[Column]
    limit: int | None

    @property
    def needs_analysis(self) -> bool:
        """Whether the query uses results of the analysis of the whole graph."""
        fields = {column.field for column in self.columns} | fields_of(self.condition)
        return bool(fields & ANALYSED)


def fields_of(condition: Any) -> set[str]:
    """Return the names of the fields that `condition` uses."""
    if isinstance(condition, Comparison):
        return {condition.field}
    parts = (
        condition.parts
        if isinstance(condition, AllOf | AnyOf)
        else [condition.part]
        if isinstance(condition, Not)
        else []
    )
    return {field for part in parts for field in fields_of(part)}
