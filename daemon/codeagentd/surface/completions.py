"""How could an argument go on?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from codeagentd.query.completing import communities, ids, labels
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context

MOST: Final = 100  # values of one answer, page 002 and MCP

Complete = Callable[[Database, str, int], list[str]]


def _none(_db: Database, _written: str, _limit: int) -> list[str]:
    """A single repository has no members to name."""
    return []


BY_ARGUMENT: Final[dict[str, Complete]] = (
    dict.fromkeys(("label", "source", "target", "topic", "from", "to", "symbol", "name", "symbol_name"), labels)
    | dict.fromkeys(("node_id", "node_ids"), ids)
    | dict.fromkeys(("community_id", "id"), communities)
    | {"repo": _none}
)


def completed(ctx: Context, argument: str, written: str) -> dict[str, Any]:
    """What completion/complete answers: values by the argument's name; none for one that has no known values.

    `total` counts no more than one beyond those told.
    """
    complete = BY_ARGUMENT.get(argument, _none)
    with ctx.read() as db:
        found = complete(db, written, MOST + 1)
    return {"completion": {"values": found[:MOST], "total": len(found), "hasMore": len(found) > MOST}}
