"""Clojure: names of the own namespace, and of others by alias, by their whole name, or as they are referred to.

Source: Clojure documentation, "Namespaces", "Evaluation", "Protocols", "Datatypes".
"""

from __future__ import annotations

from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .rule import NameRule

_TYPES: Final = frozenset({SymbolKind.RECORD, SymbolKind.CLASS, SymbolKind.INTERFACE})
_CONSTRUCTING: Final = ("->", "map->")  # functions that every record and type has


class ClojureNames(NameRule):
    """The name rule of Clojure. Only local variables are bound in their files; all other names are those of a
    namespace.
    """

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`: a namespace of both names, or a definition of the namespace `module`;
        EXTERNAL if the repository has neither.
        """
        if name in ("", "*"):
            return _namespace(names, file, module) or EXTERNAL
        if result := _namespace(names, file, f"{module}.{name}"):
            return result
        outer = _namespace(names, file, module)
        return _member(names, outer.symbol, name) if outer else EXTERNAL

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the protocol `text` that the type `place` implements."""
        return self.free(names, file, place, text)

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration."""
        return self.free(names, file, place, name, use)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name`: of the namespace around `place`, of one that it uses as a whole, or a namespace
        by its whole name.
        """
        if result := _member(names, _outermost(names, place).id, name):
            return result.with_origin(Origin.SCOPE)
        for entry in names.world.imports(file.id):
            other = _namespace(names, file, entry.module) if entry.name == "*" else None
            if other and (result := _member(names, other.symbol, name)):
                return result.with_origin(Origin.WILDCARD)
            if entry.local == name and (result := names.imported(file, entry.module, entry.name)):
                return result
        if result := _namespace(names, file, name):
            return result
        return EXTERNAL if name in languages()[file.language].symbols.ambient or "." in name else None

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `name` after a namespace and a slash."""
        if target.is_external or not target.symbol:
            return EXTERNAL
        result = _member(names, target.symbol, name)
        return result.with_origin(Origin.MEMBER) if result else None


def _outermost(names: NameLookup, place: Symbol) -> Symbol:
    """The namespace around a place, else its file."""
    while place.kind != SymbolKind.NAMESPACE and place.parent:
        place = names.world.symbol(place.parent)
    return place


def _namespace(names: NameLookup, file: File, whole: str) -> Target | None:
    """The namespace with a whole name; of several, that of a file of the same kind as `file`, as `.cljs`."""
    if not names.named(whole, file.language):
        return None
    candidates = [
        symbol for symbol in names.world.qualified(file.language, whole) if symbol.kind == SymbolKind.NAMESPACE
    ]
    ending = file.path.rpartition(".")[2]
    alike = [symbol for symbol in candidates if names.world.file(symbol.file).path.endswith(f".{ending}")] or candidates
    return names.first_by_position(alike, Origin.NAMESPACE) if alike else None


def _member(names: NameLookup, namespace: int, name: str) -> Target | None:
    """The definition `name` of a namespace: also a method of a protocol, and a type by the functions that make it."""
    members = names.world.members(namespace)
    named = [symbol for symbol in members.get(name, ()) if symbol.kind != SymbolKind.METHOD]
    if named:
        return names.first_by_position(named, Origin.NAMESPACE)
    for symbol in names.named(name, names.world.file(names.world.symbol(namespace).file).language):
        outer = names.world.symbol(symbol.parent) if symbol.parent else None
        if outer and outer.kind == SymbolKind.INTERFACE and outer.parent == namespace:
            return names.first_by_position([symbol], Origin.NAMESPACE)
    bare = next((name.removeprefix(sign) for sign in _CONSTRUCTING if name.startswith(sign)), name.removesuffix("."))
    types = [symbol for symbol in members.get(bare, ()) if symbol.kind in _TYPES] if bare != name else []
    return names.first_by_position(types, Origin.CONSTRUCTOR) if types else None
