"""Virtual dispatch: where else a call may lead, or come from, when members override each other. Overriding is a
reference of each overriding member (`resolve.dispatch`); what follows from it for calls is computed here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import INHERITS, TYPE_NUMBERS, Origin, ReferenceKind, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.query.paging import Key
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

NAMES_LISTED: Final = 3  # agents pay for every one
MOST_OVERRIDERS: Final = 10_000  # members below the callees of one symbol; above this some are left out

DISPATCH: Final[dict[str, Any]] = {
    "super": int(Origin.SUPER), "named": int(Origin.MEMBER), "most": MOST_OVERRIDERS,
}  # fmt: skip
_ORIGIN: Final = {"origin": int(Origin.OVERRIDE)}
MOST_INTERFACES: Final = 400  # with a member of one name, that are compared with a type
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
    """How many calls lead to members that a member overrides, or that an interface asks for whose members its type
    has, and to which, in words; '' for none.
    """
    if not subject.may_override:
        return ""
    rows = db.all("graph.calls_through", {**DISPATCH, **_CALL, "symbol": subject.id})
    parts = [
        _through(rows, "which this overrides"),
        _through(_by_structure(db, subject), "whose type asks for members that the type of this one has"),
    ]
    return "; ".join(filter(None, parts))


def _through(rows: Sequence[tuple[str, int]], why: str) -> str:
    if not rows:
        return ""
    total = sum(calls for _, calls in rows)
    calls = "1 call goes" if total == 1 else f"{total} calls go"
    return f"{calls} through {_listed([name for name, _ in rows])}, {why}, and may land here"


def _by_structure(db: Database, subject: Subject) -> list[tuple[str, int]]:
    """Members of interfaces that a type implements by having all their members, without saying so, and how many calls
    lead to each. Where these are rows of references (`SymbolRules.structural`) they count as overridden.
    """
    rules = languages()[subject.language].uses
    if subject.parent is None or not (rules.structural_kinds or rules.structural_bases):
        return []
    parameters = {
        "key": subject.key, "type": subject.parent, "family": json.dumps(language_family(subject.language)),
        "types": TYPE_NUMBERS, "inherits": INHERITS, "most": MOST_INTERFACES,
        "bases": json.dumps(rules.structural_bases),
        "kinds": json.dumps([int(SymbolKind[kind.upper()]) for kind in rules.structural_kinds]),
    }  # fmt: skip
    return db.all("graph.calls_by_structure", {**parameters, **_CALL})


def to_overrides(db: Database, subject: Subject) -> str:
    """Which of the members that a symbol calls are overridden, and by how many, in words; '' for none."""
    rows = db.all("graph.overridden_callees", {**DISPATCH, **_CALL, "symbol": subject.id})
    notes = [f"{name} is overridden by {count} member{'s' if count > 1 else ''}" for name, count in rows]
    return f"{_listed(notes)}: a call may land there" if notes else ""


def _listed(words: list[str]) -> str:
    return ", ".join(words[:NAMES_LISTED]) + (", …" if len(words) > NAMES_LISTED else "")
