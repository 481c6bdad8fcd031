"""Values that pytest passes to a test's parameters by name: fixtures.

Source: pytest documentation, "Fixture availability", "Override a fixture on various levels".
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.syntax.type_expression import union_members
from codeagentd.resolve.targets import Target


def injected(names: NameLookup, place: Symbol, name: str) -> Target | None:
    """Infer the type of the parameter `name` of the function `place`: that of the result of the nearest fixture of its
    name. The result is inferred; None if there is no fixture.
    """
    function = next(_fixtures(names, place, name), None)
    value = names.values.type_of_call(Target(function)) if function else None
    if value is None or not function:
        return None
    symbol = names.world.symbol(function)
    types = languages()[names.world.file(symbol.file).language].types
    if any(
        union_member.name.rpartition(".")[2] in types.generators
        for union_member in union_members(symbol.returns, types.transparent)
    ):
        value = names.values.iteration_type(value)
    return value.inferred() if value else None


def _fixtures(names: NameLookup, place: Symbol, name: str) -> Iterator[int]:
    """The functions of a name: those of the types around a place, of its file, and of the `conftest.py` files in the
    folders around it, innermost first.
    """
    world, file = names.world, names.world.file(place.file)
    outer = place
    while outer.parent:
        outer = world.symbol(outer.parent)
        fixture = names.inheritance.member(outer.id, name) if outer.kind in TYPES else None
        if fixture and fixture.symbol not in (0, place.id):
            yield fixture.symbol
    shared, folder = languages()[file.language].types.injecting, file.path
    files = [file]
    while folder:
        folder = posixpath.dirname(folder)
        if other := world.file_at(posixpath.join(folder, shared)):
            files.append(other)
    for source_file in files:
        target = names.module_member(source_file, name)
        if target and target.symbol not in (0, place.id):
            yield target.symbol
