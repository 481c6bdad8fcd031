"""Completions: the possible values of an argument of a prompt or resource."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from codeagentd.query.graph.completions import communities, ids, labels
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context

MOST: Final = 100  # values of one answer, page 002 and MCP
COUNTED: Final = 500  # values that are searched at most, so that they can be counted

Complete = Callable[[Database, str, int], list[str]]


def _none(_db: Database, _written: str, _limit: int) -> list[str]:
    """The completion of an argument without known values."""
    return []


BY_ARGUMENT: Final[Mapping[str, Complete]] = (
    dict.fromkeys(("label", "source", "target", "topic", "from", "to", "symbol", "name", "symbol_name"), labels)
    | dict.fromkeys(("node_id", "node_ids"), ids)
    | dict.fromkeys(("community_id", "id"), communities)
)


def completed(ctx: Context, argument: str, written: str) -> dict[str, Any]:
    """Return the result of completion/complete: values that complete `written`, by the argument's name; none for an
    argument without known values.
    """
    if argument == "repo":
        return _completion(_repositories(ctx, written))
    complete = BY_ARGUMENT.get(argument, _none)
    with ctx.read() as db:
        result = complete(db, written, COUNTED)
    return _completion(result)


def _completion(values: list[str]) -> dict[str, Any]:
    """A completion result. `total` counts all values, and is left out when there are too many to be searched in
    full.
    """
    total = {"total": len(values)} if len(values) < COUNTED else {}
    return {"completion": {"values": values[:MOST], **total, "hasMore": len(values) > MOST}}


def _repositories(ctx: Context, written: str) -> list[str]:
    """The members of the workspace whose names contain the text, those that begin with it first."""
    names = ctx.workspace.names() if ctx.workspace else []
    part = written.strip().lower()
    return sorted((name for name in names if part in name.lower()), key=lambda name: not name.lower().startswith(part))
