"""Re-exports: the names that a file imports and offers to others, and the files that import them from it.

Examples are `export * from "./shelf"`, and `from shop import Shelf` in an `__init__.py`. A file may re-export a
definition by another name (`export { Shelf as Case }`); files that import it then mention only that name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.languages.module_systems import Reexport
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Import, SymbolTable
from codeagentd.store.connection import Database

from .api_changes import ApiChanges, Imports, NameDependency, files_mentioning, importers

MOST_FILES: Final = 400  # behind one wildcard: a chain of so many does not overflow the stack
_WHOLE: Final = frozenset({"", "*"})
_WORD: Final = re.compile(r"[\w$]+")

Reexports = dict[int, set[str]]  # by file, the names that it re-exports


def changed_reexports(
    database: Database, names: NameLookup, changes: ApiChanges
) -> tuple[set[NameDependency], Reexports]:
    """Return the names that have another meaning because imports were added or removed.

    Returns: the dependencies of files that mention these names, and the names by the file from which others import
             them.
    """
    dependencies, by_file = set[NameDependency](), Reexports()
    for changed in changes.imports:
        if any(_is_whole(local, name, is_exported) for local, _, name, is_exported in changed.rows):
            dependencies |= _takers_of_all(database, changed.file)
        reexport = _reexport(changed.file)
        reexported = _names(names, changed) if reexport != Reexport.NOTHING else set[str]()
        if reexported and changed.is_there and reexport == Reexport.BY_FILE:
            by_file[changed.file.id] = reexported
        else:
            dependencies |= _dependencies(changed.file, reexported)
    return dependencies, by_file


def _reexport(file: File) -> Reexport:
    return languages()[file.language].modules.reexport


def _is_whole(local: str, name: str, is_exported: int) -> bool:
    """Whether an import or export stands for the whole file: `return require("shelf")`, `module.exports = shelf`."""
    return bool(is_exported) and not local and name != "*"


def _takers_of_all(database: Database, file: File) -> set[NameDependency]:
    return importers(database, file.path, file.module, "", file.project)


def default_export_changed(
    database: Database, world: SymbolTable, file: int, changed: Container[int]
) -> set[NameDependency]:
    """Return the dependencies of the importers of `file`, if its whole export has a name in `changed`.

    Args: changed: keys of names.
    """
    entries = (entry for entry in world.imports(file) if _is_whole(entry.local, entry.name, entry.exported))
    is_anew = any(key_of(word) in changed for entry in entries for word in _words(entry))
    return _takers_of_all(database, world.file(file)) if is_anew else set()


def renamed_reexports(world: SymbolTable, file: int, changed: Container[int]) -> set[str]:
    """Return the other names by which `file` re-exports definitions that have a name in `changed`.

    Args: changed: keys of names.
    """
    result = set[str]()
    entries = [entry for entry in world.imports(file) if entry.local and entry.local not in _words(entry)]
    while (
        further := {
            entry.local for entry in entries if any(key_of(word) in changed or word in result for word in _words(entry))
        }
        - result
    ):
        result |= further
    return result


def renamed_importers(names: NameLookup, file: File, renamed: set[str]) -> tuple[set[NameDependency], Reexports]:
    """Return the dependencies of files on what `file` re-exports by the names `renamed`, in the form of
    `changed_reexports`.
    """
    language = languages()[file.language]
    exported = {entry.local for entry in names.world.imports(file.id) if entry.exported}
    reexported = (
        renamed & exported if language.rules.exports == "declared" or language.symbols.global_imports else renamed
    )
    if _reexport(file) == Reexport.BY_FILE:
        return set(), {file.id: reexported} if reexported else {}
    is_reexporting = _reexport(file) != Reexport.NOTHING or language.symbols.global_imports
    return _dependencies(file, reexported) if is_reexporting else set(), {}


def _dependencies(file: File, names: set[str]) -> set[NameDependency]:
    return {NameDependency(key_of(name), languages=frozenset({file.language})) for name in names}


def _words(entry: Import) -> list[str]:
    """The words of what an import names: one definition, or a module by any part of its name."""
    return [entry.name] if entry.name else _WORD.findall(entry.module)


def _names(names: NameLookup, changed: Imports) -> set[str]:
    file, result = changed.file, set[str]()
    rules = languages()[file.language].rules
    exported = (
        {entry.name for entry in names.world.imports(file.id) if entry.exported and not entry.module}
        if changed.is_there
        else set[str]()
    )
    for local, module, name, is_exported in changed.rows:
        if rules.exports == "declared" and not is_exported and local not in exported:
            continue
        if name == "*":
            result |= _module_names(names, file, module, set())
        elif (changed.is_there and _reexport(file) == Reexport.BY_FILE) or _is_ours(names, file, module, name):
            result.add(local)
    return (
        (result | renamed_reexports(names.world, file.id, {*map(key_of, result)})) - {""}
        if changed.is_there
        else result - {""}
    )


def _is_ours(names: NameLookup, file: File, module: str, name: str) -> bool:
    """Whether an import may lead to a file of the repository."""
    if not module:
        return True
    if _reexport(file) == Reexport.BY_FILE:
        return bool(names.files(file, module))
    target = names.imported(file, module, name) if file.symbol else None
    return not file.symbol or (target is not None and target.symbol != 0)


def _module_names(names: NameLookup, file: File, module: str, seen: set[int]) -> set[str]:
    """The names that a module has and re-exports, except through the files that were `seen`."""
    if _reexport(file) != Reexport.BY_FILE:
        target = names.imported(file, module, "") if file.symbol else None
        symbols = (
            [target.symbol]
            if target
            else [other.symbol for other in names.world.files_of_module(_whole(file.module, module))]
        )
        return {name for symbol in symbols if symbol for name in names.world.members(symbol)}
    result = set[str]()
    for other in names.files(file, module):
        if other.id not in seen and len(seen) < MOST_FILES:
            seen.add(other.id)
            result |= names.world.members(other.symbol).keys()
            for entry in names.world.imports(other.id):
                result |= _module_names(names, other, entry.module, seen) if entry.name == "*" else {entry.local}
    return result


def _whole(module: str, path: str) -> str:
    """Rust: the path of a module from its crate, as it is written in `module`."""
    steps, head = module.split("::"), path.split("::")
    while head and head[0] in ("crate", "self", "super"):
        steps = steps[:1] if head[0] == "crate" else steps[:-1] if head[0] == "super" else steps
        del head[0]
    return "::".join([*steps, *head])


def importing_files(database: Database, names: NameLookup, reexports: Reexports) -> Iterator[tuple[int, set[str]]]:
    """Yield (file, names) for each file that imports some of these names from the files in `reexports`, also through
    others. A file may come several times.
    """
    seen = set[tuple[int, str]]()
    # these re-export names that they do not mention
    wildcards = {file for (file,) in database.all("world.wildcards")} if reexports else set()
    while reexports:
        seen.update((source, name) for source, offers in reexports.items() for name in offers)
        further: dict[int, set[str]] = defaultdict(set)
        offered = set[str]().union(*reexports.values())
        for file in wildcards | files_mentioning(database, {NameDependency(key_of(name)) for name in offered}):
            imported, passed_on = _imported_names(names, names.world.file(file), reexports, offered)
            if imported:
                yield file, imported
            if passed_on := {name for name in passed_on if (file, name) not in seen}:
                further[file] = passed_on
        reexports = further


def _imported_names(
    names: NameLookup, file: File, reexports: Mapping[int, set[str]], offered: set[str]
) -> tuple[set[str], set[str]]:
    """(names that a file imports from these, names under which it re-exports them); `offered`: all names that they
    offer.
    """
    imported, passed_on = set[str](), set[str]()
    for entry in names.world.imports(file.id):
        if entry.module and (entry.name in _WHOLE or entry.name in offered):
            for other in names.files(file, entry.module):
                available = reexports.get(other.id, set()) if other.id != file.id else set()
                imported |= available if entry.name in _WHOLE else available & {entry.name}
                own = {entry.local} if entry.name in available and entry.local else set()
                passed_on |= available if entry.name == "*" else own
    return imported, passed_on if _reexport(file) != Reexport.NOTHING else set()
