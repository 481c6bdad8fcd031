"""The files that have to be resolved again after a change: those that mention what has changed, and those that mention
members of types that change by it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.store.connection import Database

from .api_changes import ApiChanges, NameDependency, files_mentioning, includers, names_with_changed_type
from .inheritance_index import InheritanceIndex, types_with_changed_bases
from .member_dependencies import member_dependency_hashes
from .overriding import files_that_construct, files_that_override
from .reexports import (
    Reexports,
    changed_reexports,
    default_export_changed,
    importing_files,
    renamed_importers,
    renamed_reexports,
)

LAST_ROUND: Final = 16  # rounds in which changed types may change other types


def affected_files(database: Database, projects: ProjectMap, changes: ApiChanges) -> set[int]:
    """Return the ids of all files whose references may have other targets after `changes`."""
    return _Invalidation(database, projects, changes).run()


class _Invalidation:
    """Follows the changes of a batch in rounds. Each finds the files that mention a changed name, and the names that
    these files define or re-export with another type; the next one begins with those names. The last one adds nothing.
    """

    def __init__(self, database: Database, projects: ProjectMap, changes: ApiChanges) -> None:
        self._database = database
        self._changes = changes
        self._names = NameResolver(StoredSymbolTable(database, projects))
        self._world = self._names.world
        self._inheritance = InheritanceIndex(database)
        # only an index of all files knows who inherits from a type
        self._is_whole = {file for file, _ in database.all("world.unresolved")}.issubset(changes.files)
        self._files = set[int]()
        self._visited = set[int]()  # files whose inherited types have been compared
        self._rebased = set(changes.rebased)  # types that have other bases now
        self._followed = set[NameDependency]()  # of the rounds before
        self._dependencies = set[NameDependency]()  # of this round
        self._reexports: Reexports = {}  # of this round
        self._reported = set[tuple[int, str]]()  # re-exports under another name that are followed already

    def run(self) -> set[int]:
        """Ids of the affected files."""
        self._begin()
        for _ in range(LAST_ROUND):
            self._follow_reexports()
            mentioning, changed = self._follow_names()
            self._follow_bases()
            self._follow_default_exports(mentioning, changed)
            self._follow_definitions(mentioning, changed)
            if self._dependencies <= self._followed and not self._reexports:
                break
        return self._files

    def _begin(self) -> None:
        """Begin with the changes of the batch itself."""
        changes, database = self._changes, self._database
        self._files = set(changes.files) | changes.declaring | includers(database, changes.included)
        self._files |= files_that_override(database, self._inheritance, changes.overridable)
        self._files |= files_that_construct(database, self._inheritance, changes.constructed)
        for language in changes.languages:
            self._files |= {file for (file,) in database.all("world.files_of_language", (language,))}
        self._dependencies = changes.dependencies(database, self._whole_inheritance())
        for file, keys in changes.locals.items():
            self._add_retyped(file, None if keys is None else {key: NameDependency(key) for key in keys})
        further, self._reexports = changed_reexports(database, self._names, changes)
        self._dependencies |= further

    def _whole_inheritance(self) -> InheritanceIndex | None:
        return self._inheritance if self._is_whole else None

    def _add_retyped(self, file: int, changed: Mapping[int, NameDependency] | None) -> None:
        """Add the names that a file defines with a type that depends on one of these names (None: on any)."""
        self._dependencies |= names_with_changed_type(
            self._database, self._names, file, changed, self._whole_inheritance()
        )

    def _follow_reexports(self) -> None:
        """Add the files that import what this round's files re-export, and the names that they define by it."""
        for file, imported in importing_files(self._database, self._names, self._reexports):
            self._files.add(file)
            self._add_retyped(file, _dependencies_on(imported))
        self._reexports = {}

    def _follow_names(self) -> tuple[set[int], dict[int, NameDependency]]:
        """Add the files that mention a changed name. Return them, and the changed names by key."""
        pending = self._dependencies - self._followed
        mentioning = files_mentioning(self._database, pending)
        changed: dict[int, NameDependency] = {}
        for dependency in pending:
            changed[dependency.key] = dependency | changed.get(dependency.key, dependency)
        self._files |= mentioning
        self._followed |= self._dependencies
        return mentioning, changed

    def _follow_bases(self) -> None:
        """Add the types that have other bases now, and the members that they and their subtypes inherit."""
        unvisited = _with_base_files(self._database, self._files - self._visited)
        types = types_with_changed_bases(self._database, self._names, unvisited, self._changes.files)
        self._files |= {self._world.symbol(type_).file for type_ in types}
        self._rebased |= types
        self._visited |= self._files
        self._dependencies = _dependencies_of_rebased(
            self._database, self._names, self._rebased, self._inheritance, is_whole=self._is_whole
        )

    def _follow_default_exports(self, mentioning: Iterable[int], changed: Mapping[int, NameDependency]) -> None:
        """Add the importers of files whose whole export is a changed name; files of the batch need not mention it."""
        for file in {*mentioning, *self._changes.files}:
            self._dependencies |= default_export_changed(self._database, self._world, file, changed)

    def _follow_definitions(self, mentioning: Iterable[int], changed: Mapping[int, NameDependency]) -> None:
        """Add the names that files define by a changed name which they mention, or by which they re-export it."""
        for file in mentioning:
            aliases = renamed_reexports(self._world, file, changed)
            renamed = {alias for alias in aliases if (file, alias) not in self._reported}
            self._add_retyped(file, {**changed, **_dependencies_on(renamed)})
            if renamed:
                self._reported.update((file, alias) for alias in renamed)
                further, reexports = renamed_importers(self._names, self._world.file(file), renamed)
                self._dependencies |= further
                self._reexports |= reexports


def _with_base_files(database: Database, files: Collection[int]) -> set[int]:
    """These files, and the other files that declare parts of the same types: a part has the bases that another part
    names, and need not mention them.
    """
    return {*files, *(first for file in files for (first,) in database.all("world.files_of_parts", (file,)))}


def _dependencies_on(words: Iterable[str]) -> dict[int, NameDependency]:
    return {key: NameDependency(key) for key in map(key_of, words)}


def _dependencies_of_rebased(
    database: Database, names: NameLookup, rebased: Collection[int], inheritance: InheritanceIndex, *, is_whole: bool
) -> set[NameDependency]:
    """The dependencies on types that have other bases now: on them and their subtypes, whose missing members may be
    external now or no longer, and on the members that they inherit.
    """
    family = (
        {symbol for symbol in inheritance.with_subtypes(rebased) if _is_there(database, symbol)}
        if rebased
        else set[int]()
    )
    dependencies = {NameDependency(key_of(names.world.symbol(symbol).name)) for symbol in family}
    return dependencies | {
        NameDependency(key, member_hashes=member_dependency_hashes(inheritance, rebased, key) if is_whole else None)
        for key in _inherited_member_keys(database, rebased, names, inheritance)
    }


def _is_there(database: Database, symbol: int) -> bool:
    return database.row("world.symbol_by_id", (symbol,)) is not None


def _inherited_member_keys(
    database: Database, rebased: Iterable[int], names: NameLookup, inheritance: InheritanceIndex
) -> set[int]:
    """The keys of all members that these types have inherited before or inherit now."""
    keys: set[int] = set()
    waiting, seen = list(rebased), set()
    while waiting:
        symbol = waiting.pop()
        if symbol in seen or not _is_there(database, symbol):
            continue
        seen.add(symbol)
        keys.update(key_of(name) for name in names.world.members(symbol))
        waiting += [*names.inheritance.bases(names.world.symbol(symbol)).types, *inheritance.bases.get(symbol, ())]
    return keys
