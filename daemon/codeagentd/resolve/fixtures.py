"""Fixtures: the rows of refs that say which fixtures the framework of the tests calls for a test or another fixture.

Source: pytest documentation, "Fixture availability", "Override a fixture on various levels", "Autouse fixtures".
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import AUTOMATIC, FileFacts
from codeagentd.model.file_kinds import can_be_run
from codeagentd.model.kinds import TYPES, Origin, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.resolve.types.pytest_fixtures import definitions, fixture_files

from .interface import NameLookup
from .symbol_table import File, Symbol
from .targets import Target

_AUTOMATIC: Final = int(SymbolFlag.AUTOMATIC)  # no flag of the enumeration: asked for every member of test classes
_CALL: Final = int(ReferenceKind.CALL)
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


def fixture_rows(
    names: NameLookup, key_of: Callable[[str], int], file: File, facts: FileFacts, ids: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield a row of refs for each fixture that a test or fixture of this file names, at that name; and for each
    automatic one, from the class or file with the tests, at the first of them.
    """
    for request in facts.fixtures:
        name, place = facts.names[request.name], names.world.symbol(ids[request.source])
        if name == AUTOMATIC:
            targets = _automatic(names, file, place)
        else:
            fixture = _fixture(names, place, name)
            targets = iter(() if fixture is None else (fixture if request.is_sure else fixture.inferred(),))
        for target in targets:
            yield (
                key_of(name), target.symbol, place.id, _CALL, target.confidence, target.origin, request.line,
                request.col,
            )  # fmt: skip


def _fixture(names: NameLookup, place: Symbol, name: str) -> Target | None:
    """The fixture `name` that `place` needs: the nearest one, else the only one of the repository that a plugin may
    register.
    """
    for target in definitions(names, place, name):
        if names.world.symbol(target.symbol).flags & SymbolFlag.FIXTURE:
            return target
    language = names.world.file(place.file).language
    others = names.symbols_where(language, name, _is_fixture_of_file)
    shared = [symbol for symbol in others if symbol.id != place.id and _may_be_plugin(names, symbol)]
    return Target(shared[0].id, origin=int(Origin.UNIQUE_NAME)).inferred() if len(shared) == 1 else None


def _is_fixture_of_file(symbol: Symbol) -> bool:
    return bool(symbol.flags & SymbolFlag.FIXTURE) and symbol.kind == SymbolKind.FUNCTION


def _may_be_plugin(names: NameLookup, symbol: Symbol) -> bool:
    """Whether the file of a fixture may be registered as a plugin: its fixtures are not for the tests around it."""
    path = names.world.file(symbol.file).path
    shared = languages()[names.world.file(symbol.file).language].types.injecting
    return posixpath.basename(path) != shared and not can_be_run(path)


def _automatic(names: NameLookup, file: File, place: Symbol) -> Iterator[Target]:
    """The automatic fixtures for the tests of `place`: a class, or a file."""
    if place.kind in TYPES:
        for type_id in names.inheritance.mro(place.id):
            yield from _declared(names, type_id)
        return
    for source_file in fixture_files(names, file):
        yield from _declared(names, source_file.symbol)


def _declared(names: NameLookup, parent: int) -> Iterator[Target]:
    """The automatic fixtures that a class or file declares."""
    for same in names.world.members(parent).values():
        for symbol in same:
            if symbol.flags & _AUTOMATIC and symbol.kind in _FUNCTIONS:
                yield Target(symbol.id, origin=int(Origin.SCOPE))
