"""Edges of all definitions that a name means: those that agree as one, distinct ones one after the other."""

from __future__ import annotations

import msgspec

from codeagentd.model.results import Neighbour
from codeagentd.store.connection import Database

from .graph import Question, neighbours_of
from .meaning import Meant
from .part import Key, Part


def neighbours_of_meant(db: Database, meant: Meant, question: Question, after: Key | None, limit: int) -> Part[Neighbour]:
    """The neighbours of the first group, then those of the next. With several, each says in `of` whose it is.

    The position of the next page is the number of a group and the position in it.
    """
    first, inside = (after[0], after[1:] or None) if after else (0, None)
    items: list[Neighbour] = []
    notes: dict[str, None] = {} if after else dict.fromkeys(filter(None, (meant.note,)))
    for at, group in enumerate(meant.groups[first:], first):
        if len(items) >= limit:
            return Part(items, (at,), "; ".join(notes))
        part = neighbours_of(db, group, question, inside, limit - len(items))
        owner = group[0].qualified_name if len(meant.groups) > 1 else ""
        items += [msgspec.structs.replace(one, of=owner) for one in part.items] if owner else part.items
        notes |= {f"{owner}: {part.note}" if owner else part.note: None} if part.note else {}
        if part.after:
            return Part(items, (at, *part.after), "; ".join(notes))
        inside = None
    return Part(items, None, "; ".join(notes))
