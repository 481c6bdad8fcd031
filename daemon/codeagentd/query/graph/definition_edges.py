"""Answers about all definitions that a name means: definitions that agree are treated as one, distinct ones one after
another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.lookup import Subject
from codeagentd.query.symbols.name_resolution import NameResolution
from codeagentd.store.connection import Database

from .edges import EdgeFilter, neighbours_of

Item = TypeVar("Item")


def in_turn(
    match: NameResolution,
    after: Key | None,
    limit: int,
    ask: Callable[[list[Subject], Key | None, int], Slice[Item]],
    owned: Callable[[Item, str], Item],
) -> Slice[Item]:
    """Return a page of the items of each group of definitions in `match`, group after group. `ask` returns a page of
    those of one group; `owned` marks an item with its definition, '' if there is only one group.

    The position of the next page consists of the number of a group and a position in that group.
    """
    first, inside = (after[0], after[1:] or None) if after else (0, None)
    items: list[Item] = []
    notes: dict[str, None] = {} if after else dict.fromkeys(filter(None, (match.note,)))
    for at, group in enumerate(match.groups[first:], first):
        if len(items) >= limit:
            return Slice(items, (at,), "; ".join(notes))
        part = ask(group, inside, limit - len(items))
        owner = group[0].qualified_name if len(match.groups) > 1 else ""
        items += [owned(item, owner) for item in part.items]
        notes |= {f"{owner}: {part.note}" if owner else part.note: None} if part.note else {}
        if part.after:
            return Slice(items, (at, *part.after), "; ".join(notes))
        inside = None
    return Slice(items, None, "; ".join(notes))


def neighbours_of_match(
    db: Database, match: NameResolution, question: EdgeFilter, after: Key | None, limit: int
) -> Slice[Neighbour]:
    """Return the neighbours of each group of definitions in `match`, group after group. With several groups, the field
    `of` names the definition of each neighbour.
    """
    return in_turn(
        match, after, limit, lambda group, inside, room: neighbours_of(db, group, question, inside, room),
        lambda neighbour, owner: msgspec.structs.replace(neighbour, of=owner) if owner else neighbour,
    )  # fmt: skip
