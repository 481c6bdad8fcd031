"""Lua: globals, and fields of tables.

Source: Lua 5.4 Reference Manual, 2.2 "Environments and the Global Environment" and 3.5 "Visibility Rules".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.model.kinds import Confidence, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.namesakes import ANY
from codeagentd.resolve.targets import Target
from codeagentd.resolve.world import File, Symbol

from .rule import NameRule

if TYPE_CHECKING:
    from codeagentd.resolve.names import Names

_PUBLIC = int(SymbolFlag.PUBLIC_API)
_EXPORTED = int(SymbolFlag.EXPORTED)
_LIBRARIES = frozenset({"_G", "_ENV", "_VERSION", "coroutine", "debug", "io", "math", "os", "package", "string", "table", "utf8"})
_TABLES = frozenset({SymbolKind.NAMESPACE, SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD})


class LuaNames(NameRule):
    """A name that no file-local declaration binds is a field of the one global table."""

    def free(self, names: Names, file: File, place: Symbol, name: str, use: int = ANY) -> Target | None:
        """A global that another file sets: the only one of its name, but whether that file was loaded is not known."""
        if name in _LIBRARIES:
            return None
        found = [
            symbol for symbol in names.world.qualified(file.language, name)
            if symbol.flags & _PUBLIC and not symbol.flags & _EXPORTED and symbol.parent == names.world.file(symbol.file).symbol
        ]  # fmt: skip
        if not found:
            return None
        return Target(names.pick(found, Origin.UNIQUE_NAME).symbol, confidence=int(Confidence.INFERRED), origin=int(Origin.UNIQUE_NAME))

    def member(self, names: Names, place: Symbol, target: Target, name: str, use: int = ANY) -> Target | None:
        """A field of a table that has a name."""
        symbol = names.world.symbol(target.symbol) if target.symbol else None
        if symbol and symbol.kind in _TABLES and (inside := names.world.members(symbol.id).get(name)):
            return names.pick(inside, Origin.MEMBER)
        return names.usual_member(target, name, place, use)
