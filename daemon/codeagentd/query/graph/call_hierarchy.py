"""The call hierarchy: callers and callees of a symbol over several steps."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codeagentd.model.ids import uid_of
from codeagentd.model.kinds import Confidence
from codeagentd.model.results.lens_results import CallRelative, Position, Range
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.lookup import Subject
from codeagentd.query.symbols.symbol_places import absolute
from codeagentd.store.connection import Database

from .edges import CALLEES, CALLERS, EdgeFilter, neighbours

RELATIVES: Final = 1_000  # symbols of one hierarchy
FOLLOWED: Final = 150  # symbols whose own callers or callees are looked up: 1 ms for each
SITES: Final = 10  # places listed with one symbol
AT_ONCE: Final = 500

_AMBIGUOUS: Final = Confidence.AMBIGUOUS.label
_SURENESS: Final = {confidence.label: int(confidence) for confidence in Confidence}


def call_tree(
    db: Database, root: Path, subjects: list[Subject], direction: str, depth: int, after: Key | None, limit: int
) -> Slice[CallRelative]:
    """Return the callers (direction incoming) or callees (outgoing) of `subjects` up to `depth` calls away, each once,
    with its shortest path: also those of `subjects` that call themselves or each other. Ordered by distance, then
    confidence, then path and line.

    Ambiguous edges are listed but not followed, because symbols beyond them are mostly wrong. `note` states what was
    left out.
    """
    reached, notes = _reached(db, subjects, CALLERS if direction == "incoming" else CALLEES, depth)
    keyed = sorted((_key(steps, end), steps, end, via) for steps, (end, via) in reached)
    keyed = [entry for entry in keyed if after is None or entry[0] > after]
    following = keyed[limit - 1][0] if len(keyed) > limit else None
    return Slice(
        [_relative(root, steps, end, via) for _, steps, end, via in keyed[:limit]],
        following,
        "" if after else "; ".join(notes),
    )


def _key(steps: int, end: Neighbour) -> Key:
    return (steps, _SURENESS[end.confidence], end.file_path, end.line_start, end.node_id)


def _reached(
    db: Database, subjects: list[Subject], question: EdgeFilter, depth: int
) -> tuple[list[tuple[int, tuple[Neighbour, str]]], list[str]]:
    """The reached symbols as (depth, (symbol, qualified name of the symbol that it was reached from)), and notes on
    what was left out.
    """
    subject_uids = {subject.uid for subject in subjects}
    seen: set[bytes] = set()
    reached: list[tuple[int, tuple[Neighbour, str]]] = []
    notes: list[str] = []
    level = [(subject, "") for subject in subjects]
    followed = 0
    for steps in range(1, depth + 1):
        following: list[tuple[Subject, str]] = []
        for subject, via in level:
            if followed == FOLLOWED:
                return reached, [*notes, f"only {FOLLOWED} symbols were followed: ask for less depth"]
            followed += 1
            ends, note = _ends(db, subject, question, has_note=steps == 1)
            notes += [note] if note else []
            for uid, end in ends:
                if uid in seen:
                    continue
                if len(reached) == RELATIVES:
                    return reached, [*notes, f"more than {RELATIVES} symbols: ask for less depth or of a narrower name"]
                seen.add(uid)
                reached.append((steps, (end, via)))
                is_followed = steps < depth and end.confidence != _AMBIGUOUS and uid not in subject_uids
                if is_followed and (row := db.row("symbols.by_uid", (uid,))):
                    following.append((Subject(*row), end.qualified_name))
        level = following
    return reached, notes


def _ends(
    db: Database, subject: Subject, question: EdgeFilter, *, has_note: bool
) -> tuple[list[tuple[bytes, Neighbour]], str]:
    """The symbols at the other ends, each once with all its places, and a note on undecided references if wanted."""
    result: dict[bytes, list[Neighbour]] = {}
    after: Key | None = None
    note = ""
    while len(result) <= RELATIVES:
        part = neighbours(db, subject, question, after, AT_ONCE, has_note=has_note)
        note = note or part.note
        for end in part.items:
            result.setdefault(uid_of(end.node_id) or b"", []).append(end)
        after = part.after
        if after is None:
            break
    return [(uid, _joined(ends)) for uid, ends in result.items()], note


def _joined(ends: list[Neighbour]) -> Neighbour:
    """One neighbour with the places of all; its confidence is that of the first, which is the best."""
    first = ends[0]
    sites = [site for end in ends for site in end.sites]
    return Neighbour(
        node_id=first.node_id, name=first.name, qualified_name=first.qualified_name, node_type=first.node_type,
        file_path=first.file_path, line_start=first.line_start, line_end=first.line_end, edge_type=first.edge_type,
        confidence=first.confidence, origin=first.origin, sites=sites,
    )  # fmt: skip


def _relative(root: Path, depth: int, end: Neighbour, via: str) -> CallRelative:
    sites = [Position(site.line, site.column) for site in end.sites]
    return CallRelative(
        name=end.name,
        kind=end.node_type,
        file_path=absolute(root, end.file_path),
        range=Range(end.line_start, end.line_end),
        qualified_name=end.qualified_name,
        depth=depth,
        confidence=end.confidence,
        sites=sites[:SITES],
        total_sites=len(sites) if len(sites) > SITES else 0,
        via=via,
    )
