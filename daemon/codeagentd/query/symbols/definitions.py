"""The definitions of a name, and the choice among several by the viewpoint of a file or folder."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagentd.model.ids import name_key
from codeagentd.model.results.lens_results import SymbolPlace
from codeagentd.query.paging import Key, Slice, cut
from codeagentd.store.connection import Database

from .aliases import aliased
from .lookup import KINDS, LABELS, Subject
from .name_resolution import decided
from .symbol_places import symbol_place

MAX_MATCHES: Final = 1_000  # symbols of one name that a query examines

_SEPARATORS: Final = re.compile(r"::|[.#\\]")
_PLACE: Final = ("after_document", "after_path", "after_line", "after_last", "after_uid")
_START: Final[Key] = (-1, "", 0, 0, b"")


class Viewpoint(NamedTuple):
    """The file or folder (ending in '/', '' for all) of the repository from which a name is resolved."""

    path: str
    folder: str
    is_folder: bool


EVERYWHERE: Final = Viewpoint("", "", True)


class NameMatch(NamedTuple):
    """The symbols that a name means from a viewpoint, all at the same distance; their number, and the number of more
    distant ones.

    `rule_note` is the note of the rule `name_precedence` about the name.
    """

    subjects: list[Subject]
    total: int
    farther: int
    rule_note: str = ""

    @property
    def note(self) -> str:
        """The note in words on the symbols that the answer includes and excludes; '' if there is nothing to explain."""
        words = []
        if self.total > 1:
            words.append(
                f"{self.total} symbols are meant"
                + (f", {len(self.subjects)} looked at" if self.total > len(self.subjects) else "")
            )
        if self.farther:
            words.append(f"{self.farther} of this name farther away are not")
        chooses = "; ".join(words) + ": a qualified name or another context_path chooses" if words else ""
        return "; ".join(filter(None, (self.rule_note, chooses)))


def kind_number(kind: str | None) -> int | None:
    """Return the number of the symbol kind `kind`; None for None. Errors: invalid_parameter."""
    if kind is None:
        return None
    number = KINDS.get(kind.strip().lower())
    if number is None:
        raise InvalidParameter(
            f"kind: there is no {kind!r}", remedy="use one of: " + ", ".join(KINDS), parameter="kind"
        )
    return number


def definitions(
    db: Database, root: Path, name: str, kind: int | None, after: Key | None, limit: int
) -> Slice[SymbolPlace]:
    """Return every place that defines exactly `name`: code before documents, then by path and line."""
    parameters = {
        **_name_parameters(db, name, None if kind is None else (kind,)),
        "limit": limit + 1,
        **dict(zip(_PLACE, after or _START, strict=True)),
    }
    rows, following = cut(db.all("lens.definitions", parameters), limit, len(_PLACE))
    if rows or after:
        return Slice([symbol_place(root, row[5], row[6], row[1], row[2], row[3], row[7]) for row in rows], following)
    if others := aliased(db, name):
        resolved = decided(db, name, others)._replace(is_alias=True)
        shown = [subject for subject in resolved.subjects if kind is None or subject.kind == kind]
        return Slice(
            [
                symbol_place(
                    root,
                    symbol.name,
                    symbol.kind,
                    symbol.path,
                    symbol.line_start,
                    symbol.line_end,
                    symbol.qualified_name,
                )
                for symbol in shown
            ],
            note=resolved.note_of_others,
        )
    outside = ", ".join(dict.fromkeys(external.path for external in _outside(db, name)))
    return Slice(
        [],
        note=f"defined outside of the repository: {outside}"
        if outside
        else "nothing has this name; code.symbol.search finds parts of names",
    )


def definitions_named(db: Database, name: str, kinds: Collection[int] | None, view: Viewpoint) -> NameMatch:
    """Return the symbols that `name` means: those nearest to the viewpoint; without any, external symbols of this name.

    Errors: not_found; invalid_parameter when the name has only definitions of other kinds.
    """
    file, project = _file_at(db, view)
    parameters = {
        **_name_parameters(db, name, kinds),
        "path": view.path,
        "file": file,
        "folder": view.folder,
        "is_folder": view.is_folder,
        "project": project,
    }
    rows = db.all("lens.nearest", parameters | {"limit": MAX_MATCHES})
    if not rows:
        outside = [result for result in _outside(db, name) if kinds is None or result.kind in kinds]
        if not outside and (
            others := [subject for subject in aliased(db, name) if kinds is None or subject.kind in kinds]
        ):
            result = decided(db, name, others)._replace(is_alias=True)
            return NameMatch(result.subjects, len(result.subjects), 0, result.note_of_others)
        if not outside:
            raise _missing(db, name, kinds)
        return NameMatch(outside, len(outside), 0)
    level, total = rows[0][:2]
    farther = sum({row[0]: row[1] for row in rows if row[0] != level}.values())
    nearest = [Subject(*row[2:]) for row in rows if row[0] == level]
    result = decided(db, name, nearest, total - len(nearest))
    return NameMatch(result.subjects, total - len(nearest) + len(result.subjects), farther, result.note_of_others)


def _file_at(db: Database, view: Viewpoint) -> tuple[int | None, int | None]:
    """The file number (of a file only) and the project of the viewpoint; a folder has the project of its first file,
    the whole repository has none.
    """
    at = view.folder if view.is_folder else view.path
    row = db.row("lens.file_at", (at,)) if at else None
    if row is None or not (row[2].startswith(at) if view.is_folder else row[2] == at):
        return None, None
    return (None if view.is_folder else row[0]), row[1]


def _name_parameters(db: Database, name: str, kinds: Collection[int] | None) -> dict[str, Any]:
    """The SQL parameters for a name, a whole qualified name, or, if no symbol has this qualified name, the end of
    one.
    """
    dotted = _SEPARATORS.sub(".", name)
    last = dotted.rpartition(".")[2]
    is_end = last not in ("", dotted) and not name.startswith((".", "#")) and not db.value("lens.is_qualified", (name,))
    return {
        "whole": name, "whole_key": name_key(name), "last": last, "key": name_key(last),
        "suffix": f".{dotted.lstrip('.')}" if is_end else "",
        "kinds": None if kinds is None else json.dumps(sorted(kinds)),
    }  # fmt: skip


def _outside(db: Database, name: str) -> list[Subject]:
    """The external symbols with this name that have references."""
    dotted = _SEPARATORS.sub(".", name)
    rows = db.all("symbols.by_qualified_name", {"qualified_name": name, "place": "", "limit": MAX_MATCHES}) or db.all(
        "symbols.outside",
        {
            "name": dotted.rpartition(".")[2],
            "suffix": _SEPARATORS.sub("_", f".{dotted}"),
            "place": "",
            "limit": MAX_MATCHES,
        },
    )
    return [Subject(*row[:-1]) for row in rows]


def _missing(db: Database, name: str, kinds: Collection[int] | None) -> NotFound | InvalidParameter:
    if kinds is not None and (others := definitions(db, Path(), name, None, None, MAX_MATCHES).items):
        result = ", ".join(sorted({other.kind for other in others}))
        kind = LABELS[next(iter(kinds))] if len(kinds) == 1 else "type"  # for example class, interface
        return InvalidParameter(
            f"symbol_name: no {kind} is called {name!r}, but: {result}",
            remedy="name another symbol or kind",
            parameter="symbol_name",
        )
    return NotFound(
        f"no symbol is called {name!r}", remedy="code.symbol.search finds names by their parts", parameter="symbol_name"
    )
