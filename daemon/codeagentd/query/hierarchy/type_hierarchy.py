"""The type hierarchy: supertypes, subtypes, and the types of values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeagentd.model.kinds import INHERITS, TYPE_NUMBERS, TYPES, Confidence, ReferenceKind, SymbolKind
from codeagentd.model.results.lens_results import ChainLink, InheritanceChain, Range, TypePlace, TypeRelative
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.lookup import LABELS, Subject
from codeagentd.query.symbols.symbol_places import CONFIDENCES, EDGES, absolute
from codeagentd.store.connection import Database

RELATIVES: Final = 1_000  # types of one hierarchy: 300 kB of answer, in pages
CHAINS: Final = 500  # paths to supertypes that are examined: they multiply where types have several bases
ABOVE: Final = "supertype"
BELOW: Final = "subtype"
OF_TYPES: Final = TYPES | {SymbolKind.EXTERNAL}  # a definition of another package may be a type


class Edge(NamedTuple):
    """One step from a type to another: a row of the statement lens.supertypes or lens.subtypes."""

    start: int
    order: int
    confidence: int
    kind: int
    id: int
    path: str
    line_start: int
    line_end: int
    uid: bytes
    name: str
    symbol_kind: int
    qualified_name: str


def relatives(
    db: Database,
    root: Path,
    subjects: list[Subject],
    directions: Sequence[str],
    depth: int,
    after: Key | None,
    limit: int,
) -> Slice[TypeRelative]:
    """Return the types around the types `subjects`, up to `depth` steps away: supertypes before subtypes, the nearest
    first, then by path and line.
    """
    result: list[tuple[Key, TypeRelative]] = []
    notes = []
    for number, direction in enumerate(directions):
        reached, is_cut = _reached(db, subjects, direction, depth)
        result += [
            ((number, level, edge.path, edge.line_start, edge.uid), _relative(root, direction, level, edge, via))
            for level, edge, via in reached
        ]
        if is_cut:
            notes.append(f"more than {RELATIVES} {direction}s: ask for less depth or of a narrower type")
    result = [pair for pair in sorted(result, key=lambda pair: pair[0]) if after is None or pair[0] > after]
    following = result[limit - 1][0] if len(result) > limit else None
    return Slice([item for _, item in result[:limit]], following, "" if after else "; ".join(notes))


def _reached(
    db: Database, subjects: list[Subject], direction: str, depth: int
) -> tuple[list[tuple[int, Edge, str]], bool]:
    """The types within `depth`, each on its shortest path, as (depth, step, name of the type where the step starts);
    and whether there would be more.
    """
    names = {subject.id: "" for subject in subjects}
    reached: list[tuple[int, Edge, str]] = []
    level = list(names)
    for steps in range(1, depth + 1):
        following = []
        for edge in _edges(db, level, direction):
            if edge.id in names:
                continue
            if len(reached) == RELATIVES:
                return reached, True
            reached.append((steps, edge, names[edge.start]))
            names[edge.id] = edge.qualified_name
            following.append(edge.id)
        level = following
    return reached, False


def neighbouring_types(db: Database, subject: Subject, direction: str) -> list[bytes]:
    """Return the ids of the types one step above or below `subject`, in the order of `relatives`."""
    return [edge.uid for edge in _edges(db, [subject.id], direction)]


def _edges(db: Database, types: list[int], direction: str) -> list[Edge]:
    parameters: dict[str, Any] = {"types": json.dumps(types), "inherits": INHERITS}
    rows = (
        db.all("lens.supertypes", parameters)
        if direction == ABOVE
        else db.all("lens.subtypes", parameters | {"limit": RELATIVES + 1})
    )
    return [Edge(*row) for row in rows]


def _relative(root: Path, direction: str, depth: int, edge: Edge, via: str) -> TypeRelative:
    return TypeRelative(
        name=edge.name,
        kind=LABELS[edge.symbol_kind],
        file_path=absolute(root, edge.path),
        range=Range(edge.line_start, edge.line_end),
        qualified_name=edge.qualified_name,
        direction=direction,
        depth=depth,
        edge_type=EDGES[edge.kind],
        confidence=CONFIDENCES[edge.confidence],
        via=via,
    )


def chains(db: Database, root: Path, subjects: list[Subject], depth: int, limit: int) -> Slice[InheritanceChain]:
    """Return every path up from each of the types `subjects`, with bases in the order in which they are written."""
    bases: dict[int, list[Edge]] = {}
    level = [subject.id for subject in subjects]
    for _ in range(depth + 1):  # one step more, to know which paths continue
        bases |= {start: [] for start in level}
        for edge in _edges(db, level, ABOVE):
            bases[edge.start].append(edge)
        level = list({edge.id: None for start in level for edge in bases[start] if edge.id not in bases})
    result: list[InheritanceChain] = []
    for subject in subjects:
        own = ChainLink(
            subject.name,
            LABELS[subject.kind],
            absolute(root, subject.path),
            Range(subject.line_start, subject.line_end),
            subject.qualified_name,
        )
        _climb(root, bases, [own], (subject.id,), depth, result)
    more = "" if len(result) < CHAINS else "at least "
    return Slice(
        result[:limit], note=f"{more}{len(result)} chains, the first {limit} shown" if len(result) > limit else ""
    )


def _climb(
    root: Path,
    bases: dict[int, list[Edge]],
    links: list[ChainLink],
    way: tuple[int, ...],
    left: int,
    result: list[InheritanceChain],
) -> None:
    """Add all continuations of one path; a type that (erroneously) inherits from itself ends it."""
    onward = [edge for edge in bases.get(way[-1], ()) if edge.id not in way]
    if not onward or not left:
        result.append(InheritanceChain(links, truncated=bool(onward)))
        return
    for edge in onward:
        if len(result) >= CHAINS:
            return
        link = ChainLink(
            edge.name, LABELS[edge.symbol_kind], absolute(root, edge.path), Range(edge.line_start, edge.line_end),
            edge.qualified_name, EDGES[edge.kind], CONFIDENCES[edge.confidence],
        )  # fmt: skip
        _climb(root, bases, [*links, link], (*way, edge.id), left - 1, result)


_NAMED: Final = 1 << ReferenceKind.TYPE
_RETURNED: Final = 1 << ReferenceKind.RETURNS
_CONSTRUCTED: Final = 1 << ReferenceKind.CALL


def types_of_value(db: Database, subject: Subject) -> tuple[str, list[Key]]:
    """Return the text that names the types of the values of `subject`, which is no type itself, and the rows of these
    types, as the statement lens.types_of has them.
    """
    parameters, returns, declared, _ = db.all("lens.written", (subject.id,))[0]
    if parameters is not None or returns:
        text, kinds = returns or "", _RETURNED | _NAMED
    else:
        text, kinds = declared, _CONSTRUCTED if declared.startswith("=") else _NAMED
    values = {
        "symbol": subject.id,
        "kinds": kinds,
        "text": text,
        "types": TYPE_NUMBERS,
        "constructor": int(SymbolKind.CONSTRUCTOR),
    }
    return text, db.all("lens.types_of", values)


def types_of(db: Database, root: Path, subject: Subject) -> list[TypePlace]:
    """Return the types of the values of `subject`: the declared type, the constructed type or the return type; for a
    type, the type itself.
    """
    if subject.kind in OF_TYPES:
        place = Range(subject.line_start, subject.line_end)
        sure = Confidence.EXACT.label
        return [
            TypePlace(
                subject.name, LABELS[subject.kind], absolute(root, subject.path), place, subject.qualified_name, sure
            )
        ]
    text, rows = types_of_value(db, subject)
    return [
        TypePlace(
            name,
            LABELS[kind],
            absolute(root, path),
            Range(first, last),
            qualified_name,
            CONFIDENCES[sure],
            text.removeprefix("="),
        )
        for sure, _, path, first, last, _, name, kind, qualified_name in rows
    ]
