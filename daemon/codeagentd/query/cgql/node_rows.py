"""The nodes that a query uses: fetched by the most selective conditions, then checked against the others."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from codeagentd.model.ids import name_key, node_id
from codeagentd.model.labels import clean, label
from codeagentd.query.symbols.lookup import KINDS, LABELS
from codeagentd.store.connection import Database

from .ast import NUMBERS, AllOf, AnyOf, Comparison, NodePattern, Not

SCANNED: Final = 400_000  # nodes examined for one pattern
AT_ONCE: Final = 5_000  # nodes fetched by their numbers at once

_RANGES: Final = tuple(f"{end}_{field}" for field in NUMBERS for end in ("least", "most"))


class NodeRow(NamedTuple):
    """A node with all its fields; None for unknown values."""

    number: int
    kind_number: int
    qualified_name: str
    name: str
    module: str
    file: str
    lang: str
    access: str
    loc: int
    is_file: int
    community: int | None
    degree: int | None
    fan_in: int | None
    fan_out: int | None
    line: int
    uid: bytes

    @property
    def kind(self) -> str:
        """The name of the node's kind."""
        return LABELS[self.kind_number]

    @property
    def visibility(self) -> str | None:
        """The visibility; None if it is unknown."""
        return self.access or None

    @property
    def label(self) -> str:
        """The node's label in answers."""
        return label(self.kind_number, self.qualified_name, self.module, self.file, is_file=bool(self.is_file))

    @property
    def id(self) -> str:
        """The node's id in answers."""
        return node_id(self.uid)

    def field(self, name: str) -> Any:
        """Return the value of the field `name`, as answers show it."""
        value = getattr(self, name)
        return clean(value) if isinstance(value, str) else value


def fetched(db: Database, pattern: NodePattern, conditions: Sequence[Any]) -> list[NodeRow]:
    """Return the nodes that match `pattern` and all `conditions` on it."""
    parameters = _narrowed(pattern, conditions)
    key = parameters.pop("key")
    rows = db.all("cgql.named", {"key": key, "limit": SCANNED}) if key is not None else db.all("cgql.nodes", parameters)
    nodes = [NodeRow(*row) for row in rows]
    return [row for row in nodes if fits(row, pattern, conditions)]


def of_numbers(db: Database, numbers: Collection[int]) -> dict[int, NodeRow]:
    """Return the nodes with these numbers, by number; those outside of the repository are missing."""
    order = list(numbers)
    nodes: dict[int, NodeRow] = {}
    for start in range(0, len(order), AT_ONCE):
        nodes.update(
            (row[0], NodeRow(*row)) for row in db.all("cgql.of_numbers", (json.dumps(order[start : start + AT_ONCE]),))
        )
    return nodes


def _narrowed(pattern: NodePattern, conditions: Sequence[Any]) -> dict[str, Any]:
    """The parameters of the fetching statement: they exclude only nodes that certainly do not match."""
    parameters: dict[str, Any] = {
        "kinds": None,
        "key": None,
        "path": None,
        "language": None,
        "limit": SCANNED,
        **dict.fromkeys(_RANGES),
    }
    if pattern.kind:
        parameters["kinds"] = json.dumps([KINDS[pattern.kind]])
    for condition in conditions:
        if not isinstance(condition, Comparison):
            continue
        if condition.field in NUMBERS:
            parameters |= (
                {f"least_{condition.field}": condition.value} if condition.operator in ("=", ">", ">=") else {}
            )
            parameters |= {f"most_{condition.field}": condition.value} if condition.operator in ("=", "<", "<=") else {}
        elif condition.operator == "=":
            parameters |= _exactly(condition)
    return parameters


def _exactly(condition: Comparison) -> dict[str, Any]:
    if condition.field == "kind":
        return {"kinds": json.dumps([KINDS.get(condition.value, 0)])}
    return {
        "name": {"key": name_key(condition.value)},
        "file": {"path": condition.value},
        "lang": {"language": condition.value},
    }.get(condition.field, {})


def fits(row: NodeRow, pattern: NodePattern, conditions: Sequence[Any]) -> bool:
    """Whether the node `row` is of the kind of `pattern`, and all `conditions` hold for it."""
    return (not pattern.kind or row.kind == pattern.kind) and all(
        holds(condition, {pattern.name: row}) for condition in conditions
    )


def holds(condition: Any, bound: Mapping[str, NodeRow]) -> bool:
    """Whether `condition` holds for the nodes `bound`, by variable. An unknown value equals nothing."""
    if isinstance(condition, Comparison):
        return _compares(getattr(bound[condition.variable], condition.field), condition.operator, condition.value)
    if isinstance(condition, AllOf):
        return all(holds(part, bound) for part in condition.parts)
    if isinstance(condition, AnyOf):
        return any(holds(part, bound) for part in condition.parts)
    return isinstance(condition, Not) and not holds(condition.part, bound)


def _compares(known: Any, operator: str, value: Any) -> bool:
    if known is None:
        return False
    if operator == "=~":
        return value.search(known) is not None
    if operator in ("=", "!="):
        return bool(known == value) == (operator == "=")
    if operator == "<":
        return bool(known < value)
    if operator == "<=":
        return bool(known <= value)
    return bool(known > value) if operator == ">" else bool(known >= value)
