"""Lua: globals, and fields of tables.

Source: Lua 5.4 Reference Manual, 2.2 "Environments and the Global Environment" and 3.5 "Visibility Rules".
"""

from __future__ import annotations

from codeagentd.model.kinds import Confidence, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind
from codeagentd.resolve.usage import ANY, Usage

from .rule import NameRule

_PUBLIC = int(SymbolFlag.PUBLIC_API)
_EXPORTED = int(SymbolFlag.EXPORTED)
_GLOBALS = frozenset({"_G", "_ENV"})  # the table of all globals
_LIBRARIES = frozenset(
    {"_VERSION", "bit32", "coroutine", "debug", "io", "math", "os", "package", "string", "table", "utf8"}
)
_TABLES = frozenset({SymbolKind.NAMESPACE, SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD})


class LuaNames(NameRule):
    """The name rule of Lua. A name that no file-local declaration binds is a field of the one global table."""

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` that no local declaration binds: a library of Lua, or a global. A global that
        another file sets is inferred, as that file may not be loaded.
        """
        if name in _LIBRARIES or name in _GLOBALS:
            return Target(namespace=name, kind=TargetKind.NAMESPACE)
        result = [
            symbol
            for symbol in names.world.qualified(file.language, name)
            if symbol.flags & _PUBLIC
            and not symbol.flags & _EXPORTED
            and symbol.parent == names.world.file(symbol.file).symbol
        ]
        if own := [symbol for symbol in result if symbol.file == file.id]:
            return names.first_by_position(own, Origin.SCOPE)
        if not result:
            return None
        return Target(
            names.first_by_position(result, Origin.UNIQUE_NAME).symbol,
            confidence=int(Confidence.INFERRED),
            origin=int(Origin.UNIQUE_NAME),
        )

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the field `name` of the table `target`. A field that a file adds to a library's table is found
        like a global.
        """
        table = (names.values.type_of_target(target) or target).namespace
        if table in _GLOBALS:
            return self.free(names, names.world.file(place.file), place, name) or EXTERNAL
        if table in _LIBRARIES:
            return self.free(names, names.world.file(place.file), place, f"{table}.{name}") or EXTERNAL
        symbol = names.world.symbol(target.symbol) if target.symbol else None
        if symbol and symbol.kind in _TABLES and (inside := names.world.members(symbol.id).get(name)):
            return names.first_by_position(inside, Origin.MEMBER)
        return names.default_member(target, name, place, use) or (
            self._added(names, place, symbol, name) if symbol else None
        )

    def _added(self, names: NameLookup, place: Symbol, table: Symbol, name: str) -> Target | None:
        """A function that is added to a table in another file than the table's, and called by its qualified name."""
        result = self.free(names, names.world.file(place.file), place, f"{names.world.qualified_name(table.id)}.{name}")
        return result.inferred() if result else None
