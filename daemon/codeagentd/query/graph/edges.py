"""The symbols at the other end of a symbol's edges.

Edges have five sources: references with a target, open member references (matched by name here), containment,
overriding, and the initial values of variables: a reference in such a value is one of the file or module, and makes an
edge of the variable as well. All of them list edges in the same order: the most certain first, then by the neighbour's
path and line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from codeagent_protocol.status import percent
from codeagentd.languages.untyped_members import lending
from codeagentd.model.kinds import (
    CANDIDATES,
    EDGE_OF_REFERENCE,
    INHERITS,
    Confidence,
    Origin,
    ReferenceKind,
    SymbolKind,
)
from codeagentd.model.parameters import language_family
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.hierarchy import virtual_dispatch as dispatch
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.coverage import covered, generic_note, is_generic
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

from . import incoming_by_file as by_file
from .edge_pages import EDGE_KEY, START, assemble, merged

NAMES_LISTED: Final = 5  # names listed in a note
ELSEWHERE: Final = 100  # maximum number of other edges that a note counts
CONTAINS: Final = 0  # the number for containment among reference kinds

_CONTAINS: Final = {"kind": CONTAINS, "origin": int(Origin.CONTAINS)}
_INITIAL: Final = {"origin": int(Origin.INITIAL_VALUE)}


class EdgeFilter(msgspec.Struct, frozen=True):
    """The selection of edges. `kinds` are the reference kinds, as bits; with `directed`, answers state the direction of
    each edge.

    `named`: leave out the edges of structural subtyping and of operations, at whose places the other end is not named.
    `dispatch`: include the edges that calls make through overriding; `dispatch_note`: the note counts these calls.
    `initial`: include the edges of initial values of variables. `external`: edges may leave the repository.
    `whole_files`: the edges of a file include those between its definitions and other files. `possible`: include
    references on receivers of unknown type, however many members have the name; `has_include`: the asking tool has a
    parameter for that, which notes name.
    """

    incoming: bool
    kinds: int
    contains: bool = False
    named: bool = False
    dispatch: bool = False
    dispatch_note: bool = False
    initial: bool = False
    directed: bool = False
    external: bool = False
    whole_files: bool = False
    possible: bool = False
    has_include: bool = False

    def only(self, *edge_types: str) -> EdgeFilter:
        """Return this filter, limited to these types of edges."""
        return msgspec.structs.replace(
            self,
            kinds=self.kinds & bits(*edge_types),
            contains=self.contains and "contains" in edge_types,
        )


def bits(*edge_types: str) -> int:
    """Return the reference kinds of these edge types, as bits."""
    return sum(1 << kind for kind, edge_type in EDGE_OF_REFERENCE.items() if edge_type in edge_types)


EVERY_KIND: Final = sum(1 << kind for kind in ReferenceKind)
CALLS: Final = bits("calls", "constructs")
CALLERS: Final = EdgeFilter(incoming=True, kinds=CALLS, dispatch=True, dispatch_note=True)
CALLEES: Final = EdgeFilter(incoming=False, kinds=CALLS, dispatch=True, dispatch_note=True)
OVERRIDES: Final = bits("overrides")
STRUCTURE: Final = bits("implements", "overrides")  # the kinds of edges that structural subtyping makes
REFERENCES: Final = EdgeFilter(incoming=True, kinds=EVERY_KIND & ~OVERRIDES, named=True, dispatch_note=True)
IMPLEMENTATIONS: Final = EdgeFilter(incoming=True, kinds=INHERITS | OVERRIDES)
DEPENDENCIES: Final = EdgeFilter(
    incoming=False, kinds=EVERY_KIND, contains=True, dispatch=True, initial=True, directed=True, external=True
)
DEPENDENTS: Final = EdgeFilter(
    incoming=True, kinds=EVERY_KIND, contains=True, dispatch=True, initial=True, directed=True
)


def neighbours(
    db: Database, subject: Subject, question: EdgeFilter, after: Key | None, limit: int, *, has_note: bool = True
) -> Slice[Neighbour]:
    """Return the symbols that the edges of `subject` in the selection `question` lead to, each with the places of the
    references that make the edge. Not `has_note`: the caller has no use for a note.
    """
    return neighbours_of(db, [subject], question, after, limit, has_note=has_note)


def neighbours_of(
    db: Database,
    subjects: Sequence[Subject],
    question: EdgeFilter,
    after: Key | None,
    limit: int,
    *,
    has_note: bool = True,
) -> Slice[Neighbour]:
    """Return the neighbours of `subjects`, definitions that an answer treats as one: each edge once, with the places of
    all. `has_note` as in `neighbours`.
    """
    has_note = has_note and after is None
    start, skipped = (after[:-1], after[-1]) if after else (START, 0)
    # the last row of the page, and one more that shows whether there are others
    page = {**dict(zip(EDGE_KEY, start, strict=True)), "limit": limit + 2}
    rows: list[Key] = []
    notes: dict[str, None] = {}
    for subject in subjects:
        edge_rows, note = _edges(db, subject, question, page, has_note=has_note)
        rows += edge_rows
        notes |= {note: None} if note else {}
    note = "; ".join(notes) or ("" if rows or not has_note else nothing(db, subjects[0], question))
    if has_note and question.kinds:
        note = "; ".join(filter(None, (note, generic_note({subject.language for subject in subjects}))))
    direction = ("incoming" if question.incoming else "outgoing") if question.directed else ""
    ordered = sorted(row for row in merged(rows) if row[: len(start)] >= start)
    return assemble(db, ordered, start, skipped, limit, direction, note)


def _edges(
    db: Database, subject: Subject, question: EdgeFilter, page: dict[str, Any], *, has_note: bool
) -> tuple[list[Key], str]:
    """A symbol's rows from a position on; with `has_note` also a note about edges that may be missing."""
    members = candidates(db, subject) if question.incoming and question.kinds else 0
    rows = (
        _incoming(db, subject, question, page, members) if question.incoming else _outgoing(db, subject, question, page)
    )
    return rows, _note(db, subject, question, members) if has_note else ""


def _incoming(db: Database, subject: Subject, question: EdgeFilter, page: dict[str, Any], members: int) -> list[Key]:
    rows: list[Key] = []
    if question.contains:
        rows += db.all("graph.container", {**page, **_CONTAINS, "symbol": subject.id})
    if question.kinds:
        # a member is overridden at any depth; its own rows are those of the nearest members that override it
        kinds = question.kinds & ~OVERRIDES if subject.may_override else question.kinds
        rows += _references_to(db, subject, kinds, question, page)
        if kinds != question.kinds:
            rows += db.all("graph.overriding", {**page, "symbol": subject.id})
        if question.whole_files and subject.is_file:
            parts = {"file": subject.file, "namespace": int(SymbolKind.NAMESPACE), "kinds": question.kinds}
            rows += db.all("graph.into_file", {**page, **parts})
        if question.initial and not _is_full(rows, page):
            initial = {**_INITIAL, "symbol": subject.id, "kinds": question.kinds}
            rows += db.all("graph.incoming_initial", {**page, **initial})
        if question.dispatch and not _is_full(rows, page):
            rows += dispatch.incoming(db, subject, question.kinds, page)
        # edges are at best inferred when no other member has the name; there are none when many have it
        if (0 < members <= CANDIDATES or (members and question.possible)) and not _is_full(rows, page):
            parameters = {"key": subject.key, "family": _family(subject), "members": members, "kinds": question.kinds}
            rows += db.all("graph.incoming_open", {**page, **parameters})
    return rows


def _references_to(db: Database, subject: Subject, kinds: int, question: EdgeFilter, page: dict[str, Any]) -> list[Key]:
    """The rows of a symbol's references."""
    if by_file.has_many(db, subject.id, kinds) and (
        rows := by_file.exact_incoming(db, subject.id, kinds, question.named, page)
    ):
        return rows
    return db.all("graph.incoming", {**page, "symbol": subject.id, "kinds": kinds, "named": question.named})


def _is_full(rows: list[Key], page: dict[str, Any]) -> bool:
    """Whether the exact edges alone fill the page. Edges of open references are never exact."""
    exact = [row for row in rows if row[0] == Confidence.EXACT]
    return len(exact) >= int(page["limit"])


def _outgoing(db: Database, subject: Subject, question: EdgeFilter, page: dict[str, Any]) -> list[Key]:
    rows: list[Key] = []
    if question.contains:
        rows += db.all("graph.contained", {**page, **_CONTAINS, "symbol": subject.id})
    if question.kinds:
        parameters = {**page, "symbol": subject.id, "kinds": question.kinds}
        rows += db.all("graph.outgoing", {**parameters, "external": question.external})
        rows += db.all("graph.outgoing_open", {**parameters, **_members(subject)})
        rows += dispatch.outgoing(db, subject, question.kinds, page) if question.dispatch else []
        rows += db.all("graph.outgoing_initial", {**parameters, **_INITIAL}) if question.initial else []
        if question.whole_files and subject.is_file:
            rows += db.all("graph.out_of_file", {**parameters, "file": subject.file, "external": question.external})
    return rows


def undecided(db: Database, subject: Subject, question: EdgeFilter, members: int) -> str:
    """Return a note in words on references to `subject` on receivers of unknown type: their number, and that they are
    no edges because too many `members` have their name. '' without any.

    For incoming questions these are the `candidates`; outgoing questions count their own references.
    """
    if not question.kinds:
        return ""
    if question.incoming:
        if members <= CANDIDATES or question.possible:
            return ""
        places = int(
            db.value("graph.count_open", {"key": subject.key, "kinds": question.kinds, "family": _family(subject)})
        )
        listing = "include: possible" if question.has_include else "get_references with include: possible"
        return (
            f"{places} more of `.{subject.name}` on receivers of unknown type may mean it: more than {CANDIDATES} "
            f"members have this name ({listing} lists them)"
            if places
            else ""
        )
    names = db.all("graph.undecided", {"symbol": subject.id, "kinds": question.kinds, **_members(subject)})
    listed = ", ".join(f".{name}" for name, _ in names[:NAMES_LISTED]) + (", …" if len(names) > NAMES_LISTED else "")
    return (
        f"{sum(places for _, places in names)} on receivers of unknown type left out, their names have too many "
        f"members: {listed}"
        if names
        else ""
    )


def nothing(db: Database, subject: Subject, question: EdgeFilter) -> str:
    """Return a note in words for `subject`, which has no edges: its other references, and how much of the code that
    could contain such edges is understood.
    """
    if not question.kinds:
        return ""
    elsewhere = _elsewhere(db, subject, question)
    if not question.incoming:
        return elsewhere
    if is_generic(subject.language):
        return elsewhere or "nothing found"
    whole, settled = covered(db, language_family(subject.language))
    if not settled.total:
        return elsewhere
    doubts = f", {whole:,} of its files are parsed in part or not at all" if whole else ""
    known = (
        f"of {settled.total:,} references in {subject.language} code {percent(settled.settled)}% are settled{doubts}"
    )
    return f"{elsewhere or 'nothing found'}; {known}"


def _elsewhere(db: Database, subject: Subject, question: EdgeFilter) -> str:
    """A note in words for a symbol without calls: the calls that leave the repository, and the references to the symbol
    that are no calls.
    """
    if question.kinds != CALLERS.kinds:
        return ""
    page = {**dict(zip(EDGE_KEY, START, strict=True)), "limit": ELSEWHERE, "symbol": subject.id}
    if question.incoming:
        rows = db.all("graph.incoming", {**page, "kinds": REFERENCES.kinds & ~question.kinds, "named": True})
        return (
            f"not called by its name, but {_counted(len(rows), 'other reference', 'other references')}: get_references"
            if rows
            else ""
        )
    rows = [] if question.external else db.all("graph.outgoing", {**page, "kinds": question.kinds, "external": True})
    return (
        f"calls nothing in the repository, but {_counted(len(rows), 'definition', 'definitions')} outside of it: "
        "get_dependencies"
        if rows
        else ""
    )


def _counted(count: int, singular: str, several: str) -> str:
    return f"1 {singular}" if count == 1 else f"{count}{'+' * (count == ELSEWHERE)} {several}"


def _note(db: Database, subject: Subject, question: EdgeFilter, members: int) -> str:
    """The note in words: references that may belong here and are no edges, the targets of virtual dispatch, and what
    was not examined.
    """
    notes = [undecided(db, subject, question, members)]
    if question.dispatch_note:
        notes.append(dispatch.through_bases(db, subject) if question.incoming else dispatch.to_overrides(db, subject))
    if question.incoming and not question.named and question.kinds & STRUCTURE:
        notes.append(uncompared(db, subject))
    return "; ".join(part for part in notes if part)


def uncompared(db: Database, subject: Subject) -> str:
    """A note in words for an interface, or a method of one, that only some types were compared with; '' for others."""
    interface = subject.id if subject.kind == SymbolKind.INTERFACE else subject.parent
    row = db.row("structural.limit", (interface,)) if interface is not None else None
    return f"more than {row[1]} types have a method {row[0]}: only so many were compared" if row else ""


def candidates(db: Database, subject: Subject) -> int:
    """Return the number of members that a reference by the name of `subject` on a receiver of unknown type can mean,
    including the symbol; 0 if such a reference cannot mean the symbol.

    Members of types can be meant, but not static ones in languages where only the type itself offers them.
    """
    may_be_meant = subject.is_member and not db.value("graph.is_apart", {"symbol": subject.id, **lending()})
    return namesakes(db, subject) if may_be_meant else 0


def namesakes(db: Database, subject: Subject) -> int:
    """Return the number of members with the name of `subject` that a reference on a receiver of unknown type can mean,
    counted up to one more than may make an edge.
    """
    return int(db.value("graph.count_members", {"key": subject.key, **_members(subject), "limit": CANDIDATES + 1}))


def _members(subject: Subject) -> dict[str, Any]:
    return {"family": _family(subject), **lending(), "each": CANDIDATES}


def _family(subject: Subject) -> str:
    return json.dumps(language_family(subject.language))
