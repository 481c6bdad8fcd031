"""Notes on virtual dispatch: the other members in which a call may land, or from which it may come, when members
override each other. Such calls are no edges, since it is unknown which member runs.
"""

from __future__ import annotations

import json
from typing import Final

from codeagentd.model.kinds import TYPES, Origin, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.query.paging import Key
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

from . import structural_subtyping
from .overrides import INHERITS, MAX_ANCESTORS

NAMES_LISTED: Final = 3  # names listed, since every one costs tokens
# subtypes of the called members' types that are examined; beyond this the listed number is too low
MOST_HEIRS: Final = 1_000

_CALLS: Final = {"call": int(ReferenceKind.CALL), "super": int(Origin.SUPER)}
_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)
_UID: Final = 3  # column of a row


def through_bases(db: Database, subject: Subject) -> str:
    """Return a note in words on calls that may land in `subject` through a base: the members that it overrides, and the
    number of calls to them; '' for none.

    Calls through `super` are not counted, since they run the member that they name.
    """
    if not subject.may_override:
        return ""
    # embedding does not dispatch to the embedding struct's method: only interfaces do
    if structural_subtyping.is_structural(subject):
        rows = structural_subtyping.overridden(db, subject).rows
        base_rows = (
            db.all("graph.calls_of", {**_CALLS, "uids": json.dumps([row[_UID].hex() for row in rows])}) if rows else []
        )
    else:
        above = {
            "type": subject.parent,
            "key": subject.key,
            "constructor": _CONSTRUCTOR,
            "inherits": INHERITS,
            "limit": MAX_ANCESTORS,
        }
        base_rows = db.all("graph.calls_through", {**_CALLS, **above})
    if not base_rows:
        return ""
    total = sum(calls for _, calls in base_rows)
    calls = "1 call goes" if total == 1 else f"{total} calls go"
    return (
        f"{calls} through {_listed([name for name, _ in base_rows])}, which this overrides, and may land here: "
        "get_callers of it lists them"
    )


def to_overrides(db: Database, subject: Subject) -> str:
    """Return a note in words on the members that `subject` calls and that are overridden, and the number of their
    overrides; '' for none.
    """
    if structural_subtyping.is_structural(subject):
        parameters = {"symbol": subject.id, "call": _CALLS["call"], "interface": int(SymbolKind.INTERFACE)}
        called: list[Key] = db.all("graph.interface_callees", parameters)
        return (
            f"a call of {_listed([name for name, _ in called])} lands in a type that implements it "
            "(get_implementations)"
            if called
            else ""
        )
    types = json.dumps(sorted(int(kind) for kind in TYPES))
    below = {
        "types": types,
        "constructor": _CONSTRUCTOR,
        "static": int(SymbolFlag.STATIC),
        "inherits": INHERITS,
        "limit": MOST_HEIRS,
    }
    rows = db.all("graph.overridden_callees", {**_CALLS, **below, "symbol": subject.id})
    notes = [f"{name} is overridden by {count} member{'s' if count > 1 else ''}" for name, count in rows]
    return f"{_listed(notes)}: a call may land there (get_implementations)" if notes else ""


def _listed(words: list[str]) -> str:
    return ", ".join(words[:NAMES_LISTED]) + (", …" if len(words) > NAMES_LISTED else "")
