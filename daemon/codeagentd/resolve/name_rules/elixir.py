"""Elixir: modules that are known by their whole names, functions by their names and numbers of arguments.

Source: Elixir documentation, "alias, require, import and use", Kernel.SpecialForms, Protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.syntax.signatures import takes
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .rule import NameRule

_MODULES: Final = frozenset({SymbolKind.MODULE, SymbolKind.INTERFACE})
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.MACRO})
_SELF: Final = "__MODULE__"
_USING: Final = "__using__"  # the macro that `use` runs: what it imports and defines is the user's
_LONGEST_ALIAS: Final = 4  # aliases of aliases


class ElixirNames(NameRule):
    """The name rule of Elixir. Nothing is bound by its bare name alone: of several functions of a name, the
    number of arguments selects one.
    """

    depends_on_writing = True

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`: a module inside of it, or a function of it; EXTERNAL if the repository has
        none.
        """
        if name in ("", "*"):
            return _module(names, file, module) or EXTERNAL
        if name[0].isupper():
            return _module(names, file, f"{module}.{name}") or EXTERNAL
        outer = _module(names, file, module)
        return (function_of(names, outer.symbol, name, use) if outer else EXTERNAL) or None

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the behaviour or protocol `text` that `place` implements."""
        return _module(names, file, text) or EXTERNAL

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration."""
        return self.free(names, file, place, name, use)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` inside of `place`: a module, an attribute, or a function or type of the module
        around it, or one that this module gets by `use`.
        """
        owner = module_of(names, place)
        if name == _SELF:
            return Target(owner.id) if owner else None
        if name.startswith("@"):
            attributes = names.world.members(owner.id).get(name) if owner else None
            return names.first_by_position(attributes, Origin.SCOPE) if attributes else None
        if name[:1].isupper():
            return _module_here(names, file, owner, name)
        if owner and (result := function_of(names, owner.id, name, use)):
            return result.with_origin(Origin.SCOPE)
        if result := self._used(names, file, name, use):
            return result
        return EXTERNAL if name in languages()[file.language].symbols.ambient else None

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage = ANY
    ) -> Target | None:
        """The function `name` if the import of `module` around `place` brings it in. The module's own functions come
        first.
        """
        if name[:1].isupper() or name.startswith(("@", _SELF)):
            return None
        return imported_function(names, place, _module(names, file, module), name, use)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `name` after a module and a dot: a module inside of it, a function or a type."""
        file = names.world.file(place.file)
        if target.is_external or (target.symbol and names.world.symbol(target.symbol).kind not in _MODULES):
            return EXTERNAL
        if name[:1].isupper():
            whole = f"{_whole_name(names, target)}.{name}"
            return _module(names, file, whole) or Target(namespace=whole, kind=TargetKind.PACKAGE)
        if not target.symbol:
            return EXTERNAL
        result = function_of(names, target.symbol, name, use)
        if result is None:
            result = self._used(names, names.world.file(names.world.symbol(target.symbol).file), name, use)
        return result.capped_by(target).with_origin(Origin.MEMBER) if result else None

    def as_written(
        self, names: NameLookup, target: Target, type_arguments: int, member: str, *, has_receiver: bool
    ) -> Target:
        """The target of a name: the first parts of a module's name, `Shop` in `Shop.Shelf`, name no module."""
        return Target(namespace=_whole_name(names, target), kind=TargetKind.PACKAGE) if member[:1].isupper() else target

    def _used(self, names: NameLookup, file: File, name: str, use: Usage) -> Target | None:
        """The function or type that a module of `file` gets by `use`: one that the macro of the used module defines,
        or imports.
        """
        for used in _used_modules(names, file):
            for macro in names.world.members(used).get(_USING, ()):
                if result := function_of(names, macro.id, name, use):
                    return result.with_origin(Origin.WILDCARD).inferred()
            other = names.world.file(names.world.symbol(used).file)
            for entry in names.world.imports(other.id):
                outer = _module(names, other, entry.module) if entry.name == "*" else None
                if outer and (result := function_of(names, outer.symbol, name, use)):
                    return result.with_origin(Origin.WILDCARD).inferred()
        return None


def module_of(names: NameLookup, place: Symbol) -> Symbol | None:
    """The innermost module around a place."""
    current: Symbol | None = place
    while current is not None and current.kind not in _MODULES:
        current = names.world.symbol(current.parent) if current.parent else None
    return current


def _whole_name(names: NameLookup, target: Target) -> str:
    return names.world.qualified_name(target.symbol) if target.symbol else target.namespace


def _module(names: NameLookup, file: File, whole: str) -> Target | None:
    """The module with a whole name, in which the first part may be an alias."""
    for _ in range(_LONGEST_ALIAS):
        if result := module_named(names, file, whole):
            return result
        first, dot, rest = whole.partition(".")
        entries = (entry for entry in names.world.imports(file.id) if entry.local == first)
        aliased = next(
            (
                other
                for entry in entries
                if (other := f"{_imported_name(entry.module, entry.name)}{dot}{rest}") != whole
            ),
            None,
        )
        if aliased is None:
            return None
        whole = aliased
    return None


def _imported_name(module: str, name: str) -> str:
    return f"{module}.{name}" if name not in ("", "*") else module


def module_named(names: NameLookup, file: File, whole: str) -> Target | None:
    """The module with exactly this name, preferably of the project of `file`."""
    last = whole.rpartition(".")[2]
    if not names.named(last, file.language):
        return None
    result = [symbol for symbol in names.world.qualified(file.language, whole) if symbol.kind in _MODULES]
    own = [symbol for symbol in result if names.world.file(symbol.file).project == file.project] or result
    return names.first_by_position(own, Origin.NAMESPACE) if own else None


def _module_here(names: NameLookup, file: File, owner: Symbol | None, name: str) -> Target:
    """The module that the first part of a name means: one inside of a module around it, else one of that name, else
    all that begins with it.
    """
    current = owner
    while current is not None:
        inner = [symbol for symbol in names.world.members(current.id).get(name, ()) if symbol.kind in _MODULES]
        if inner:
            return names.first_by_position(inner, Origin.SCOPE)
        current = module_of(names, names.world.symbol(current.parent)) if current.parent else None
    if result := module_named(names, file, name):
        return result
    for used in _used_modules(names, file):
        other = names.world.file(names.world.symbol(used).file)
        if any(entry.local == name for entry in names.world.imports(other.id)):
            return (_module(names, other, name) or EXTERNAL).inferred()
    return Target(namespace=name, kind=TargetKind.PACKAGE)


def _used_modules(names: NameLookup, file: File) -> Iterator[int]:
    """The modules of the repository whose macro `__using__` a file runs."""
    for entry in names.world.imports(file.id):
        if entry.name == _USING and (used := _module(names, file, entry.module)):
            yield used.symbol


def imported_function(
    names: NameLookup, place: Symbol, imported: Target | None, name: str, use: Usage
) -> Target | None:
    """Return the function `name` of the module `imported`, unless the module around `place` has one of its own."""
    owner = module_of(names, place)
    if imported is None or (owner and function_of(names, owner.id, name, use)):
        return None
    result = function_of(names, imported.symbol, name, use)
    return result.with_origin(Origin.IMPORT) if result else None


def function_of(names: NameLookup, owner: int, name: str, use: Usage) -> Target | None:
    """The function, macro or, where a type is expected, type `name` that the symbol `owner` contains and that takes the
    arguments of `use`; inferred where only one of another number has the name.
    """
    named = names.world.members(owner).get(name, ())
    if use is TYPE:
        candidates: Sequence[Symbol] = [symbol for symbol in named if symbol.kind == SymbolKind.TYPE]
    else:
        candidates = [
            symbol for symbol in named if symbol.kind in _FUNCTIONS and not symbol.flags & SymbolFlag.ABSTRACT
        ]
    if not candidates:
        return None
    fits = [symbol for symbol in candidates if takes(symbol.signature, use.arguments)]
    if fits or use is TYPE:
        return names.first_by_position(fits or candidates, Origin.MEMBER)
    ambient = languages()[names.world.file(candidates[0].file).language].symbols.ambient
    return None if name in ambient else names.first_by_position(candidates, Origin.MEMBER).inferred()
