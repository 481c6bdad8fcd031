"""The places of the references to some symbols, one item per place, the most certain first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from codeagentd.model.kinds import CANDIDATES, Confidence
from codeagentd.model.parameters import language_family
from codeagentd.model.results.lens_results import ReferencePlace
from codeagentd.query.paging import Key, Slice, cut
from codeagentd.query.symbols.coverage import generic_note
from codeagentd.query.symbols.definitions import NameMatch
from codeagentd.query.symbols.lookup import Subject
from codeagentd.query.symbols.name_resolution import NameResolution
from codeagentd.query.symbols.symbol_places import CONFIDENCES, EDGES, absolute
from codeagentd.store.connection import Database

from . import edges
from .definition_edges import in_turn
from .traversal import symbols_in_file

# by family of languages: a member, and the number of members that its bare name can mean
_Members = dict[tuple[str, ...], tuple[Subject, int]]

_PLACE: Final = ("after_confidence", "after_path", "after_line", "after_col")
_START: Final[Key] = (-1, "", 0, 0)


def reference_places(
    db: Database, root: Path, match: NameMatch, after: Key | None, limit: int
) -> Slice[ReferencePlace]:
    """Return the places that refer to the symbols of `match`: most certain first, then by path, line and column.

    References on receivers of unknown type are included if few members have their name; `note` states how many are left
    out.
    """
    part = sites(db, match.subjects, after, limit)
    places = [
        ReferencePlace(absolute(root, path), line, column, edge, confidence)
        for path, line, column, edge, confidence, _ in part.items
    ]
    return Slice(places, part.after, "" if after else "; ".join(filter(None, (match.note, part.note))))


def sites(
    db: Database, subjects: list[Subject], after: Key | None, limit: int, *, whole_files: bool = False
) -> Slice[Key]:
    """Return (path, line, column, edge type, confidence, enclosing symbol) for every place that refers to `subjects`,
    in the same order and with the same note as `reference_places`.

    With `whole_files`, the references to a file include those in other files to its definitions.
    """
    whole = subjects[0] if whole_files and subjects[0].is_file else None
    numbers = symbols_in_file(db, whole.file) if whole else [subject.id for subject in subjects]
    key = subjects[0].key
    alike = [subject for subject in subjects if subject.key == key]
    members = _members(db, alike)
    parameters = {
        "symbols": json.dumps(numbers), "key": key, "open": json.dumps(_open(members)), "limit": limit + 1,
        "apart": whole.file if whole else None, **dict(zip(_PLACE, after or _START, strict=True)),
    }  # fmt: skip
    rows, following = cut(db.all("lens.references", parameters), limit, len(_PLACE))
    places = [
        (path, line, column, EDGES[kind], CONFIDENCES[sure], within or "")
        for sure, path, line, column, kind, within in rows
    ]
    return Slice(places, following, "" if after else _undecided_note(db, members, alike[0], bool(rows)))


def sites_of_match(db: Database, match: NameResolution, after: Key | None, limit: int) -> Slice[Key]:
    """Return the places that refer to each group of definitions in turn, in the form of `sites`. With several groups,
    the last column names the definition that a place refers to.
    """
    return in_turn(
        match,
        after,
        limit,
        lambda group, inside, room: sites(db, group, inside, room, whole_files=True),
        lambda site, owner: (*site, owner),
    )


def _open(members: _Members) -> dict[str, int]:
    """The confidence of a reference by the bare name, by language; a language is included if few members of types have
    the name.
    """
    sure: dict[str, int] = {}
    for family, (_, count) in members.items():
        if count <= CANDIDATES:
            sure |= dict.fromkeys(family, int(Confidence.INFERRED if count < 2 else Confidence.AMBIGUOUS))
    return sure


def _undecided_note(db: Database, members: _Members, subject: Subject, has_rows: bool) -> str:
    """A note on the undecided references to the members; without members and places, a note on how much of the code is
    understood.
    """
    undecided = [edges.undecided(db, member, edges.REFERENCES, count) for member, count in members.values()]
    text = "; ".join(filter(None, undecided))
    text = text or ("" if has_rows else edges.nothing(db, subject, edges.REFERENCES))
    return "; ".join(filter(None, (text, generic_note({subject.language}))))


def _members(db: Database, subjects: list[Subject]) -> _Members:
    """One member for each family of languages among those that a reference on a receiver of unknown type can mean, and
    the number of such members.
    """
    return {
        language_family(subject.language): (subject, count)
        for subject in subjects
        if (count := edges.candidates(db, subject))
    }
