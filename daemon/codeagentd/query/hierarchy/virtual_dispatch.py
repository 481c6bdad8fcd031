"""Virtual dispatch: where else a call may lead, or come from, when members override each other. Overriding is a
reference of each overriding member (`resolve.dispatch`); what follows from it for calls is computed here.
"""

from __future__ import annotations

from typing import Any, Final

from codeagentd.model.kinds import Origin, ReferenceKind
from codeagentd.query.paging import Key
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

NAMES_LISTED: Final = 3  # agents pay for every one
MOST_OVERRIDERS: Final = 10_000  # members below the callees of one symbol; above this some are left out

DISPATCH: Final[dict[str, Any]] = {
    "super": int(Origin.SUPER), "named": int(Origin.MEMBER), "most": MOST_OVERRIDERS,
}  # fmt: skip
_ORIGIN: Final = {"origin": int(Origin.OVERRIDE)}
_CALL: Final = {"call": int(ReferenceKind.CALL)}


def incoming(db: Database, subject: Subject, kinds: int, page: dict[str, Any]) -> list[Key]:
    """The edges into a member through members that it overrides: inferred, since another member may run.

    Calls by `super`, and by the name of a class, stay with the member that they name.
    """
    parameters = {**page, **DISPATCH, **_ORIGIN, "symbol": subject.id, "kinds": kinds}
    return db.all("graph.incoming_dispatch", parameters) if subject.may_override else []


def outgoing(db: Database, subject: Subject, kinds: int, page: dict[str, Any]) -> list[Key]:
    """The edges to the members that override those which a symbol calls."""
    return db.all("graph.outgoing_dispatch", {**page, **DISPATCH, **_ORIGIN, "symbol": subject.id, "kinds": kinds})


def through_bases(db: Database, subject: Subject) -> str:
    """How many calls lead to members that a member overrides, and to which, in words; '' for none."""
    rows = db.all("graph.calls_through", {**DISPATCH, **_CALL, "symbol": subject.id}) if subject.may_override else []
    if not rows:
        return ""
    total = sum(calls for _, calls in rows)
    calls = "1 call goes" if total == 1 else f"{total} calls go"
    return f"{calls} through {_listed([name for name, _ in rows])}, which this overrides, and may land here"


def to_overrides(db: Database, subject: Subject) -> str:
    """Which of the members that a symbol calls are overridden, and by how many, in words; '' for none."""
    rows = db.all("graph.overridden_callees", {**DISPATCH, **_CALL, "symbol": subject.id})
    notes = [f"{name} is overridden by {count} member{'s' if count > 1 else ''}" for name, count in rows]
    return f"{_listed(notes)}: a call may land there" if notes else ""


def _listed(words: list[str]) -> str:
    return ", ".join(words[:NAMES_LISTED]) + (", …" if len(words) > NAMES_LISTED else "")
