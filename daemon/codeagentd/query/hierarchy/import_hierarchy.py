"""The import hierarchy: the files that a file imports, and those that import it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagent_protocol.errors import NotFound
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.results.lens_results import FileRelative
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.symbol_places import CONFIDENCES, OUTSIDE, absolute
from codeagentd.store.connection import Database

RELATIVES: Final = 1_000  # files of one answer, in pages
NAMES: Final = 20  # imported names listed with one file
IMPORTS: Final = "imports"
IMPORTED_BY: Final = "imported_by"
NAMESPACES: Final = 5  # namespaces that the note names

_NAMESPACE: Final = {"namespace": int(SymbolKind.NAMESPACE)}


class _Step(NamedTuple):
    """One file reached from another: a row of lens.imports or lens.imported_by."""

    start: int
    file: int
    path: str
    line: int
    confidence: int
    names: str


def package(db: Database, path: str) -> int:
    """Return the number of the package with the path `path` in answers. Errors: not_found."""
    row = db.row("files.by_path", (path,))
    if row is None:
        raise NotFound(
            f"nothing imports {path!r}",
            remedy="code.relation.importDependencies of a file shows how packages are written",
            parameter="file_path",
        )
    return int(row[0])


def file_relatives(
    db: Database, root: Path, file: int, directions: Sequence[str], depth: int, after: Key | None, limit: int
) -> Slice[FileRelative]:
    """Return the files around the file with the id `file`, up to `depth` imports away: imported ones before importing
    ones, the nearest first, then by path.
    """
    relatives: list[tuple[Key, FileRelative]] = []
    notes = []
    for number, direction in enumerate(directions):
        reached, is_cut = _reached(db, file, direction, depth)
        relatives += [
            ((number, steps, step.path), _relative(root, direction, steps, step, via)) for steps, step, via in reached
        ]
        if is_cut:
            notes.append(f"{direction}: more than {RELATIVES} files, ask for less depth")
    notes += [note] if IMPORTS in directions and (note := _unused(db, file)) else []
    relatives = [pair for pair in sorted(relatives, key=lambda pair: pair[0]) if after is None or pair[0] > after]
    following = relatives[limit - 1][0] if len(relatives) > limit else None
    return Slice([item for _, item in relatives[:limit]], following, "" if after else "; ".join(notes))


def _reached(db: Database, file: int, direction: str, depth: int) -> tuple[list[tuple[int, _Step, str]], bool]:
    """The files within `depth`, each on its shortest path, as (depth, step, path of the file where the step starts);
    and whether there would be more.
    """
    paths = {file: ""}
    reached: list[tuple[int, _Step, str]] = []
    level = [file]
    for steps in range(1, depth + 1):
        following = []
        for step in map(_Step._make, db.all(f"lens.{direction}", {"files": json.dumps(level), **_NAMESPACE})):
            if step.file in paths:
                continue
            if len(reached) == RELATIVES:
                return reached, True
            reached.append((steps, step, paths[step.start]))
            paths[step.file] = step.path
            if not step.path.startswith(OUTSIDE):
                following.append(step.file)
        level = following
    return reached, False


def _unused(db: Database, file: int) -> str:
    """A note on the namespaces that a file imports without a known reference to any of their files; '' without any."""
    names = [name for (name,) in db.all("lens.unused_imports", {"file": file, **_NAMESPACE})]
    listed = ", ".join(names[:NAMESPACES]) + (", …" if len(names) > NAMESPACES else "")
    return f"imported, but no reference to one of their files is known: {listed}" if names else ""


def _relative(root: Path, direction: str, depth: int, step: _Step, via: str) -> FileRelative:
    names = sorted(set(json.loads(step.names)))
    return FileRelative(
        file_path=absolute(root, step.path),
        direction=direction,
        depth=depth,
        line=step.line,
        names=names[:NAMES],
        confidence=CONFIDENCES[step.confidence],
        total_names=len(names) if len(names) > NAMES else 0,
        via=via and absolute(root, via),
    )
