"""What a query asks for: its path, conditions and columns as values, with the vocabularies that they use."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

TEXTS: Final = ("kind", "name", "file", "lang", "visibility")
NUMBERS: Final = ("loc", "fan_in", "fan_out", "degree", "community")
FIELDS: Final = (*TEXTS, *NUMBERS)
ANALYSED: Final = frozenset({"fan_in", "fan_out", "degree", "community"})  # fields that an analysis knows
FARTHEST: Final = 8  # hops of one variable-length edge (page 002's origin)
DEEPEST: Final = 50  # conditions inside of conditions
LONGEST: Final = 4_000  # characters of a query
LONGEST_PATH: Final = 10  # nodes of a path
LONGEST_EXPRESSION: Final = 500  # characters of a regular expression


class Way(Enum):
    """The direction in which an edge is followed."""

    OUT = "->"
    IN = "<-"
    EITHER = "-"


class NodePattern(NamedTuple):
    """A node of the path; '' for no name, any kind."""

    name: str
    kind: str


class EdgePattern(NamedTuple):
    """An edge of the path: '' for any relation, within so many hops."""

    way: Way
    relation: str
    least: int
    most: int


class Compared(NamedTuple):
    """A field of a variable against a value; `=~` has a compiled expression for its value."""

    variable: str
    field: str
    operator: str
    value: Any


class Not(NamedTuple):
    """The opposite."""

    part: Any


class Every(NamedTuple):
    """Every one of these."""

    parts: list[Any]


class Some(NamedTuple):
    """At least one of these."""

    parts: list[Any]


class Never(NamedTuple):
    """has(…): reserved, and always false."""


class Column(NamedTuple):
    """Something to return: a node, one of its fields, or a count. `title` is what the column is called."""

    title: str
    variable: str = ""
    field: str = ""
    is_count: bool = False


class Question(NamedTuple):
    """A whole query."""

    nodes: list[NodePattern]
    edges: list[EdgePattern]
    condition: Any
    columns: list[Column]
    limit: int | None

    @property
    def needs_analysis(self) -> bool:
        """Whether it refers to results that only an analysis of the whole graph has."""
        fields = {column.field for column in self.columns} | fields_of(self.condition)
        return bool(fields & ANALYSED)


def fields_of(condition: Any) -> set[str]:
    """The fields that a condition looks at."""
    if isinstance(condition, Compared):
        return {condition.field}
    parts = (
        condition.parts
        if isinstance(condition, Every | Some)
        else [condition.part]
        if isinstance(condition, Not)
        else []
    )
    return {field for part in parts for field in fields_of(part)}
