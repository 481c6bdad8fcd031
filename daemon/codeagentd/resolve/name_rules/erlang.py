"""Erlang: functions and types of modules, and the macros, records and functions of included files.

Source: Erlang Reference Manual, "Modules", "Function Calls", "Preprocessor", "Records", "Types and Function
Specifications".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .elixir import function_of, imported_function, module_named, module_of
from .rule import NameRule

_SELF: Final = "MODULE"  # the macro for the name of the module
_VALUES: Final = frozenset({SymbolKind.RECORD, SymbolKind.MACRO})
_MOST_INCLUDED: Final = 100  # files that one file includes, itself or through others


class ErlangNames(NameRule):
    """The name rule of Erlang. Nothing is bound by its bare name alone."""

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The module from which functions are imported; EXTERNAL if the repository has none. None for an included file,
        whose `module` is a path.
        """
        return None if "." in module else module_named(names, file, module) or EXTERNAL

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the behaviour `text` that the module `place` implements."""
        return module_named(names, file, text) or EXTERNAL

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` inside of `place`: a function, type, record or macro of its module, or of a file
        that this includes, else a module.
        """
        owner = module_of(names, place)
        if name == _SELF:
            return Target(owner.id) if owner else None
        for holder in (*([owner.id] if owner else ()), *_included(names, file)):
            if result := _member(names, holder, name, use):
                return result.with_origin(Origin.SCOPE)
        if not use.has_arguments and (module := module_named(names, file, name)):
            return module
        return EXTERNAL if name in languages()[file.language].symbols.ambient else None

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage = ANY
    ) -> Target | None:
        """The function `name` if the import of `module` around `place` brings it in. The module's own come first."""
        if "." in module or not use.has_arguments:
            return None
        return imported_function(names, place, module_named(names, file, module), name, use)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `name` after a module, or of a field of a record."""
        if target.is_external or not target.symbol:
            return EXTERNAL
        if names.world.symbol(target.symbol).kind == SymbolKind.RECORD:
            fields = names.world.members(target.symbol).get(name)
            return names.first_by_position(fields, Origin.MEMBER) if fields else None
        result = function_of(names, target.symbol, name, use)
        return result.with_origin(Origin.MEMBER) if result else None


def _member(names: NameLookup, holder: int, name: str, use: Usage) -> Target | None:
    """The definition `name` of a module or file: a record or macro where it is not called and no type."""
    if use is TYPE or use.is_call:
        return function_of(names, holder, name, use)
    named = [symbol for symbol in names.world.members(holder).get(name, ()) if symbol.kind in _VALUES]
    return names.first_by_position(named, Origin.SCOPE) if named else None


def _included(names: NameLookup, file: File) -> Iterator[int]:
    """The symbols of a file and of all that it includes, itself or through others."""
    seen, waiting = {file.id}, [file]
    while waiting and len(seen) < _MOST_INCLUDED:
        current = waiting.pop(0)
        yield current.symbol
        for entry in names.world.imports(current.id):
            for other in names.files(current, entry.module) if "." in entry.module else ():
                if other.id not in seen:
                    seen.add(other.id)
                    waiting.append(other)
