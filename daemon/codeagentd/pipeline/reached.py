"""Which files have to be resolved again after a change? Those that mention what changed; and as types change by that, those that mention their members."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codeagentd.model.ids import numbers_of
from codeagentd.resolve.names import Names
from codeagentd.store.connection import Database

from .derive import key_of, words_of_type
from .projects import ProjectMap
from .reach import Clause, Reach, includers, mentioning, retyped
from .world import StoredWorld

LAST_ROUND: Final = 16  # rounds in which changed types may change other types


def reached(database: Database, projects: ProjectMap, reach: Reach) -> set[int]:
    """Ids of all files whose references may mean something else now."""
    files = set(reach.files) | includers(database, reach.included)
    files |= {file for language in reach.languages for (file,) in database.all("world.files_of_language", (language,))}
    rebased, seen, known = set(reach.rebased), set(reach.files), set[Clause]()
    rebased |= {symbol for file in reach.files for symbol in _doubtful(database, file, reach)}
    clauses = reach.clauses() | {Clause(key) for file, keys in reach.locals.items() for key in retyped(database, file, keys)}
    for _ in range(LAST_ROUND):
        mentions = mentioning(database, clauses - known)
        changed = {clause.key for clause in clauses - known}
        files |= mentions
        known |= clauses
        names = Names(StoredWorld(database, projects))
        rebased |= _rebased(database, files - seen, names)
        seen |= files
        clauses = {Clause(key) for key in _inherited(database, rebased, names) | _heirs(database, rebased, names)}
        clauses |= {Clause(key) for file in mentions for key in retyped(database, file, changed)}
        if clauses <= known:
            break
    return files


def _rebased(database: Database, files: Iterable[int], names: Names) -> set[int]:
    """Types in these files whose bases mean something else than when they were resolved."""
    found = set()
    for file in files:
        for (symbol,) in database.all("world.classes_of_file", (file,)):
            type_, old = names.world.symbol(symbol), _old_bases(database, file, symbol)
            was_outside = bool(database.value("world.is_from_outside", (*numbers_of(file), symbol), 0))
            if set(names.inheritance.bases(type_)[0]) != old or names.inheritance.is_from_outside(type_) != was_outside:
                found.add(symbol)
    return found


def _doubtful(database: Database, file: int, reach: Reach) -> set[int]:
    """Types of a file of the batch, whose old references are gone, with bases that may mean something else."""
    local = reach.locals.get(file, set())
    changed = reach.names.keys() | (local or set())
    rows = database.all("world.written_bases", (file,))
    return {symbol for symbol, bases in rows if local is None or reach.modules or any(key_of(word) in changed for word in words_of_type(bases))}


def _heirs(database: Database, rebased: Iterable[int], names: Names) -> set[int]:
    """Keys of these types and of everything that inherits from them: what they lack may come from outside now, or no more."""
    keys, waiting, seen = set[int](), list(rebased), set[int]()
    while waiting:
        symbol = waiting.pop()
        if symbol not in seen and database.one("world.symbol_by_id", (symbol,)) is not None:
            seen.add(symbol)
            keys.add(key_of(names.world.symbol(symbol).name))
            waiting += [heir for (heir,) in database.all("world.heirs", (symbol,))]
    return keys


def _old_bases(database: Database, file: int, symbol: int) -> set[int]:
    return {target for (target,) in database.all("world.inherit_targets", (*numbers_of(file), symbol))}


def _inherited(database: Database, rebased: Iterable[int], names: Names) -> set[int]:
    """Keys of all members that these types inherited or inherit now."""
    keys: set[int] = set()
    waiting, seen = list(rebased), set()
    while waiting:
        symbol = waiting.pop()
        row = database.one("world.symbol_by_id", (symbol,))
        if symbol in seen or row is None:
            continue
        seen.add(symbol)
        keys.update(key_of(name) for name in names.world.members(symbol))
        waiting += [*names.inheritance.bases(names.world.symbol(symbol))[0], *_old_bases(database, row[5], symbol)]
    return keys
