"""Values that pytest passes to a test's parameters by name: fixtures.

Source: pytest documentation, "Fixture availability", "Override a fixture on various levels".
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.syntax.type_expression import union_members
from codeagentd.resolve.targets import Target


def injected(names: NameLookup, place: Symbol, name: str) -> Target | None:
    """Infer the type of the parameter `name` of the function `place`: that of the result of the nearest fixture of its
    name. The result is inferred; None if there is no fixture.
    """
    fixture = next(definitions(names, place, name), None)
    value = names.values.type_of_call(Target(fixture.symbol)) if fixture else None
    if value is None or not fixture:
        return None
    symbol = names.world.symbol(fixture.symbol)
    types = languages()[names.world.file(symbol.file).language].types
    if any(
        union_member.name.rpartition(".")[2] in types.generators
        for union_member in union_members(symbol.returns, types.transparent)
    ):
        value = names.values.iteration_type(value)
    return value.inferred() if value else None


def definitions(names: NameLookup, place: Symbol, name: str) -> Iterator[Target]:
    """List the functions of a name that may be the fixture that `place` needs: those of the types around it, of its
    file, and of the `conftest.py` files in the folders around it, innermost first.
    """
    world = names.world
    outer = place
    while outer.parent:
        fixture = names.inheritance.member(outer.id, name) if outer.kind in TYPES else None
        if fixture and fixture.symbol not in (0, place.id):
            yield fixture
        outer = world.symbol(outer.parent)
    for source_file in fixture_files(names, world.file(place.file)):
        target = names.module_member(source_file, name)
        if target and target.symbol not in (0, place.id):
            yield target


def fixture_files(names: NameLookup, file: File) -> Iterator[File]:
    """List the files whose fixtures the tests of `file` may need: itself, and the `conftest.py` files around it,
    innermost first.
    """
    yield file
    shared, folder = languages()[file.language].types.injecting, file.path
    while folder:
        folder = posixpath.dirname(folder)
        other = names.world.file_at(posixpath.join(folder, shared))
        if other and other.id != file.id:
            yield other
