"""Named code patterns, each as a query over the index.

Source: page 002 structural_search; thresholds as its origin has them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Final, Literal, get_args

from codeagent_protocol.errors import NotFound
from codeagentd.model.kinds import TYPE_NUMBERS, ReferenceKind, SymbolKind
from codeagentd.query.graph.edges import bits
from codeagentd.query.graph.traversal import AMBIGUOUS, steps
from codeagentd.store.connection import Database

from .node_rows import NodeRow, of_numbers

Pattern = Literal["singleton", "factory", "observer", "service-locator", "god-class"]
PATTERNS: Final[tuple[str, ...]] = get_args(Pattern)

LINES: Final = 500  # lines of a type that does too much
REFERENCES: Final = 20  # distinct symbols that such a type refers to
IMPLEMENTERS: Final = 2  # subtypes from which a type counts as open for extension
COMMUNITIES: Final = 3  # communities that use one type for its services

_CALLABLE: Final = json.dumps([int(kind) for kind in (SymbolKind.FUNCTION, SymbolKind.METHOD)])
_RETURNS, _TYPE = int(ReferenceKind.RETURNS), int(ReferenceKind.TYPE)


def matching(db: Database, pattern: Pattern) -> list[NodeRow]:
    """Return the nodes that match `pattern`, by path and line.

    Errors: not_found if the pattern needs communities and there are none.
    """
    numbers = _FINDERS[pattern](db)
    return sorted(of_numbers(db, numbers).values(), key=lambda row: (row.file, row.line, row.number))


def _god_class(db: Database) -> list[int]:
    large = _numbers(db, "large_types", {"types": TYPE_NUMBERS, "lines": LINES})
    owner = {member: number for number, member in db.all("nodes.containing", (json.dumps(large),))} | {
        number: number for number in large
    }
    used: dict[int, set[int]] = defaultdict(set)
    for step in steps(db, owner, forward=True):
        if step.confidence != AMBIGUOUS and owner.get(step.end) != owner[step.start]:
            used[owner[step.start]].add(step.end)
    return [number for number in large if len(used[number]) > REFERENCES]


def _singleton(db: Database) -> list[int]:
    return _numbers(db, "self_returning", {"types": TYPE_NUMBERS, "returns": _RETURNS, "type": _TYPE})


def _factory(db: Database) -> list[int]:
    return _numbers(db, "returning", {"symbols": _open(db), "kind": _RETURNS, "callable": _CALLABLE})


def _observer(db: Database) -> list[int]:
    return _numbers(db, "holding", {"symbols": _open(db), "kind": _TYPE, "types": TYPE_NUMBERS})


def _service_locator(db: Database) -> list[int]:
    if not db.value("cgql.has_communities"):
        raise NotFound(
            "the graph has no communities",
            remedy="index code that refers to other code, then ask again",
            parameter="pattern",
        )
    return _numbers(
        db, "asked_from_afar", {"types": TYPE_NUMBERS, "kinds": bits("calls", "references"), "least": COMMUNITIES}
    )


def _open(db: Database) -> str:
    """The types with several implementations or subtypes, as JSON."""
    return json.dumps(_numbers(db, "open_types", {"inherits": bits("inherits", "implements"), "least": IMPLEMENTERS}))


def _numbers(db: Database, statement: str, parameters: dict[str, object]) -> list[int]:
    return [number for (number,) in db.all(f"cgql.{statement}", parameters)]


_FINDERS: Final[dict[str, Callable[[Database], list[int]]]] = {
    "singleton": _singleton, "factory": _factory, "observer": _observer, "service-locator": _service_locator,
    "god-class": _god_class,
}  # fmt: skip
