"""The files that have to be resolved again after a change: those that mention what changed; and as types change by
that, those that mention their members.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredWorld
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.store.connection import Database

from .api_changes import ApiChanges, NameDependency, files_mentioning, includers, names_with_changed_type
from .inheritance_index import InheritanceIndex, types_with_changed_bases
from .member_dependencies import member_dependency_hashes
from .reexports import changed_reexports, default_export_changed, importing_files, renamed_reexports, renamed_takers

LAST_ROUND: Final = 16  # rounds in which changed types may change other types


def affected_files(database: Database, projects: ProjectMap, reach: ApiChanges) -> set[int]:
    """Ids of all files whose references may mean something else now."""
    files = set(reach.files) | reach.declaring | includers(database, reach.included)
    files |= {file for language in reach.languages for (file,) in database.all("world.files_of_language", (language,))}
    names = NameResolver(StoredWorld(database, projects))
    moved, seen, known = set(reach.rebased), set[int](), set[NameDependency]()
    lineage = InheritanceIndex(database)
    is_whole = {file for file, _ in database.all("world.unresolved")}.issubset(reach.files)
    known_lineage = lineage if is_whole else None
    clauses = reach.clauses(database, known_lineage)
    for file, keys in reach.locals.items():
        clauses |= names_with_changed_type(
            database,
            names.world,
            file,
            None if keys is None else {key: NameDependency(key) for key in keys},
            known_lineage,
        )
    further, reexports = changed_reexports(database, names, reach)
    clauses |= further
    reported = set[tuple[int, str]]()
    for _ in range(LAST_ROUND):
        for file, imported in importing_files(database, names, reexports):
            files.add(file)
            clauses |= names_with_changed_type(database, names.world, file, _clauses(imported), known_lineage)
        mentions = files_mentioning(database, clauses - known)
        changed: dict[int, NameDependency] = {}
        for clause in clauses - known:
            changed[clause.key] = clause | changed.get(clause.key, clause)
        files |= mentions
        known |= clauses
        others = types_with_changed_bases(database, names, _with_firsts(database, files - seen), reach.files)
        files |= {names.world.symbol(symbol).file for symbol in others}
        moved |= others
        seen |= files
        clauses, reexports = _of_moved(database, names, moved, lineage, is_whole=is_whole), {}
        for file in mentions.union(reach.files):  # to hand something on is not to mention it
            clauses |= default_export_changed(database, names.world, file, changed)
        for file in mentions:
            renamed = {name for name in renamed_reexports(names.world, file, changed) if (file, name) not in reported}
            clauses |= names_with_changed_type(database, names.world, file, changed | _clauses(renamed), known_lineage)
            if renamed:
                reported.update((file, name) for name in renamed)
                further, passed_on = renamed_takers(names, names.world.file(file), renamed)
                clauses, reexports = clauses | further, reexports | passed_on
        if clauses <= known and not reexports:
            break
    return files


def _with_firsts(database: Database, files: Collection[int]) -> set[int]:
    """These files, and those beside which it is kept what types inherit that these have parts of: they need not mention
    a base that another part says.
    """
    return {*files, *(first for file in files for (first,) in database.all("world.files_of_parts", (file,)))}


def _clauses(words: Iterable[str]) -> dict[int, NameDependency]:
    return {key: NameDependency(key) for key in map(key_of, words)}


def _of_moved(
    database: Database, names: NameLookup, moved: Collection[int], lineage: InheritanceIndex, *, is_whole: bool
) -> set[NameDependency]:
    """What changes with these types, which have other bases now: they and their heirs, as what they lack may come from
    outside, and what they inherit.
    """
    family = {symbol for symbol in lineage.with_heirs(moved) if _is_there(database, symbol)} if moved else set[int]()
    clauses = {NameDependency(key_of(names.world.symbol(symbol).name)) for symbol in family}
    return clauses | {
        NameDependency(key, asked=member_dependency_hashes(lineage, moved, key) if is_whole else None)
        for key in _inherited(database, moved, names, lineage)
    }


def _is_there(database: Database, symbol: int) -> bool:
    return database.row("world.symbol_by_id", (symbol,)) is not None


def _inherited(database: Database, moved: Iterable[int], names: NameLookup, lineage: InheritanceIndex) -> set[int]:
    """Keys of all members that these types inherited or inherit now."""
    keys: set[int] = set()
    waiting, seen = list(moved), set()
    while waiting:
        symbol = waiting.pop()
        if symbol in seen or not _is_there(database, symbol):
            continue
        seen.add(symbol)
        keys.update(key_of(name) for name in names.world.members(symbol))
        waiting += [*names.inheritance.bases(names.world.symbol(symbol)).types, *lineage.bases.get(symbol, ())]
    return keys
