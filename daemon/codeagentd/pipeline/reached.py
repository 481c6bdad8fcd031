"""Which files have to be resolved again after a change? Those that mention what changed; and as types change by that, those that mention their members."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from codeagentd.model.ids import numbers_of
from codeagentd.resolve.names import Names
from codeagentd.store.connection import Database

from .asked import hashes, with_heirs
from .derive import key_of
from .handed import handed_on, takers
from .heritage import rebased
from .projects import ProjectMap
from .reach import Clause, Reach, includers, mentioning, retyped
from .world import StoredWorld

LAST_ROUND: Final = 16  # rounds in which changed types may change other types


def reached(database: Database, projects: ProjectMap, reach: Reach) -> set[int]:
    """Ids of all files whose references may mean something else now."""
    files = set(reach.files) | includers(database, reach.included)
    files |= {file for language in reach.languages for (file,) in database.all("world.files_of_language", (language,))}
    names = Names(StoredWorld(database, projects))
    moved, seen, known = set(reach.rebased), set[int](), set[Clause]()
    by_type = {file for file, _ in database.all("world.unresolved")}.issubset(reach.files)  # else it is not known of all types who inherits from them
    clauses = reach.clauses(database, by_type)
    for file, keys in reach.locals.items():
        clauses |= retyped(database, names.world, file, None if keys is None else {key: Clause(key) for key in keys}, by_type)
    further, handed = handed_on(names, reach)
    clauses |= further
    for file, taken in takers(database, names, handed):
        files.add(file)
        clauses |= retyped(database, names.world, file, {key: Clause(key) for key in map(key_of, taken)}, by_type)
    for _ in range(LAST_ROUND):
        mentions = mentioning(database, clauses - known)
        changed: dict[int, Clause] = {}
        for clause in clauses - known:
            changed[clause.key] = clause | changed.get(clause.key, clause)
        files |= mentions
        known |= clauses
        moved |= rebased(database, names, files - seen, reach.files)
        seen |= files
        clauses = _of_moved(database, names, moved, by_type)
        for file in mentions:
            clauses |= retyped(database, names.world, file, changed, by_type)
        if clauses <= known:
            break
    return files


def _of_moved(database: Database, names: Names, moved: Collection[int], by_type: bool) -> set[Clause]:
    """What changes with these types, which have other bases now: they and their heirs, as what they lack may come from outside, and what they inherit."""
    family = with_heirs(database, moved)
    inherited = _inherited(database, moved, names)
    said = {Clause(key_of(names.world.symbol(symbol).name)) for symbol in family}
    return said | {Clause(key, asked=hashes(family, key) if by_type else None) for key in inherited}


def _old_bases(database: Database, file: int, symbol: int) -> set[int]:
    return {target for (target,) in database.all("world.inherit_targets", (*numbers_of(file), symbol))}


def _inherited(database: Database, moved: Iterable[int], names: Names) -> set[int]:
    """Keys of all members that these types inherited or inherit now."""
    keys: set[int] = set()
    waiting, seen = list(moved), set()
    while waiting:
        symbol = waiting.pop()
        row = database.one("world.symbol_by_id", (symbol,))
        if symbol in seen or row is None:
            continue
        seen.add(symbol)
        keys.update(key_of(name) for name in names.world.members(symbol))
        waiting += [*names.inheritance.bases(names.world.symbol(symbol)).types, *_old_bases(database, row[5], symbol)]
    return keys
