"""Macros of the repository that open namespaces: stored, because facts of the files that use them depend on them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.paths import read_regular
from codeagentd.extract.preprocess.namespace_macros import openings_in
from codeagentd.languages.language import language_of, languages
from codeagentd.model.ids import name_hash
from codeagentd.model.namespace_macros import Opening, Openings, digest_with
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.scan.secret_files import is_secret_file
from codeagentd.store.connection import Database

_ANY: Final[Openings] = {"": ()}
OPENINGS: Final = "openings"  # key in meta: path of a file that defines such macros -> those


def known_openings(database: Database) -> dict[str, Opening]:
    """Return the macros that open or close namespaces in the indexed files, by name. Where several files define one,
    the first by path counts.
    """
    return _merged(_by_path(database))


def defined_openings(root: Path, paths: Sequence[str]) -> dict[str, Opening]:
    """Return the macros that the files at `paths` below `root` define, as `known_openings` would."""
    return _merged(dict(_defined(root, Plan(tuple(paths)))))


def update_openings(database: Database, root: Path, plan: Plan) -> Plan:
    """Read the macros that the files of `plan` define. Return the plan, extended by all other files that use a macro
    whose replacement has changed.

    These files are marked as changed in the transaction that stores the macros, so that a process that ends before they
    are read finds them at its next start.
    """
    before = _by_path(database)
    after = {
        path: openings for path, openings in before.items() if path not in plan.gone and path not in plan.changed
    } | dict(_defined(root, plan))
    if before == after:
        return plan
    known, now = _merged(before), _merged(after)
    moved = {name for name in known.keys() | now.keys() if known.get(name) != now.get(name)}
    using = list(_using(database, moved) if moved else ())
    with database.transaction():
        database.run("writer.put_meta", (OPENINGS, msgspec.json.encode(after, order="deterministic").decode()))
        for statement in ("writer.forget_content", "writer.distrust_time"):
            database.run_many(statement, ((file,) for file, _ in using))
    return Plan(tuple(sorted({*plan.changed, *(path for _, path in using)} - set(plan.gone))), plan.gone)


def openings_for(path: str, openings: Openings) -> Openings:
    """Return those of `openings` that the file at `path` may use; none where its language has no such macros."""
    return openings if openings and _has_macros(language_of(path) or "") else {}


@functools.cache
def _has_macros(name: str) -> bool:
    chosen = languages().get(name)
    dialects = (chosen, languages().get(chosen.dialect)) if chosen else ()
    return any(language is not None and language.rules.prepare == "macros" for language in dialects)


def file_digest(path: str, content: bytes, openings: Openings) -> bytes:
    """Return the digest under which the index stores the file at `path` with this content. `openings`: the macros it
    may use.
    """
    return digest_with(content, openings_for(path, openings))


def _by_path(database: Database) -> dict[str, dict[str, Opening]]:
    return msgspec.json.decode(database.value("writer.meta", (OPENINGS,), "{}"), type=dict[str, dict[str, Opening]])


def _merged(by_path: dict[str, dict[str, Opening]]) -> dict[str, Opening]:
    merged: dict[str, Opening] = {}
    for path in sorted(by_path):
        merged = by_path[path] | merged
    return merged


def _defined(root: Path, plan: Plan) -> Iterator[tuple[str, dict[str, Opening]]]:
    for path in plan.changed:
        if openings_for(path, _ANY) and not is_secret_file(path):
            source = read_regular(root / path, MAX_FILE_BYTES)
            if source and (openings := openings_in(source)):
                yield path, openings


def _using(database: Database, names: set[str]) -> Iterator[tuple[int, str]]:
    hashes = [name_hash(key_of(name)) for name in names]
    for file, path, _, mentioned in database.all("world.mentions"):
        if openings_for(path, _ANY) and any(hashed in mentioned for hashed in hashes):
            yield file, path
