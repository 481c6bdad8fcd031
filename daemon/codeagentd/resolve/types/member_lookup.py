"""Member lookup: the bases of a type, and its member of a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import OWN_BASE, USERS_BASE
from codeagentd.model.kinds import HEIRS, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import Bases, NameLookup
from codeagentd.resolve.module_rules.cpp import unscoped_enumerators
from codeagentd.resolve.overloads.csharp_delegates import type_arity
from codeagentd.resolve.overloads.overload_resolution import applicable, filter_static, without_default_implementations
from codeagentd.resolve.query_cache import QueryCache
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import ANY, EITHER, Side, Usage

from .mro import breadth_first, linearise

_METHODS: Final = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})


_CYCLIC: Final = Bases((), are_known=False, are_outside=False, are_settled=False)  # cyclic inheritance ends there


class MemberResolver:
    """Looks up types and members in one state of the repository, and caches the results."""

    def __init__(self, names: NameLookup) -> None:
        self._names = names
        self._world = names.world
        self._queries = names.queries
        self._ancestors = QueryCache[int, tuple[int, ...]](names.queries)
        self._members = QueryCache[tuple[int, str, bool, Usage, Side], Target | None](names.queries)
        self._leaving = QueryCache[int, bool](names.queries)
        self._bases = QueryCache[int, Bases](names.queries)

    def bases(self, symbol: Symbol) -> Bases:
        """The bases that the type `symbol` names, and those that it has without naming them."""
        return self._bases.get_or_compute(symbol.id, _CYCLIC, self._written, symbol)

    def _written(self, symbol: Symbol) -> Bases:
        result = [self._base(symbol, base) for base in symbol.bases if not base.startswith((OWN_BASE, USERS_BASE))]
        ids = tuple(
            target.symbol
            for target in result
            if target and target.symbol and self._world.symbol(target.symbol).kind in HEIRS
        )
        leaves = any(target is not None and target.outside is not None for target in result)
        is_settled = all(target is not None and (target.symbol or target.is_external) for target in result)
        return Bases(
            ids + self._names.further_bases(symbol),
            len(ids) == len(result),
            leaves,
            is_settled,
        )

    def _base(self, symbol: Symbol, text: str) -> Target | None:
        """The target of a base's name. A base with the type's own name is an import: `class Shelf(Shelf)`."""
        # generic types mostly inherit from generic ones, and one of another number under its own name
        arity = type_arity(symbol)
        target = self._names.expression(symbol, text, arity)
        if target is not None and target.symbol == symbol.id and arity:
            target = self._names.expression(symbol, text)
        if target is not None and target.symbol == symbol.id:
            file = self._world.file(symbol.file)
            for entry in self._world.imports(file.id):
                if entry.local == text and entry.module and entry.name != "*" and not entry.exported:
                    return self._names.imported(file, entry.bound_module, entry.name)
        return target

    def mro(self, type_id: int) -> tuple[int, ...]:
        """The ids of the type `type_id` and of everything that it inherits from, in the order of lookup. While its
        bases are being resolved it is the type alone (C#: standard ECMA-334, 15.2.4.2).
        """
        if self._bases.is_being_computed(type_id):
            return (type_id,)
        return self._ancestors.get_or_compute(type_id, (type_id,), self._ordered, type_id)

    def _ordered(self, type_id: int) -> tuple[int, ...]:
        if languages()[self._world.file(self._world.symbol(type_id).file).language].rules.bases == "breadth":
            return breadth_first(type_id, self._direct)
        return linearise(type_id, self._direct)

    def _direct(self, type_id: int) -> tuple[int, ...]:
        symbol = self._world.symbol(type_id)
        result = self.bases(symbol).types
        return result[::-1] if languages()[self._world.file(symbol.file).language].symbols.last_base_first else result

    def is_mro_complete(self, type_id: int) -> bool:
        """Whether everything that the type `type_id` inherits from is of this repository."""
        symbol = self._world.symbol(type_id)
        if symbol.kind != SymbolKind.CLASS and languages()[self._world.file(symbol.file).language].symbols.reopened:
            return True  # Swift: what is no class inherits from protocols alone, and those of the library add few names
        return all(self.bases(self._world.symbol(ancestor)).are_known for ancestor in self.mro(type_id))

    def _has_properties(self, symbol: Symbol) -> bool:
        """Whether a name that looks like an assigned field may be a property."""
        return bool(languages()[self._world.file(symbol.file).language].symbols.property_decorators)

    def has_external_base(self, type_id: int) -> bool:
        """Whether the type `type_id` inherits members from outside of the repository. It is only known in languages
        whose data names the types without members.
        """
        return self._leaving.get_or_compute(type_id, False, self._any_leaves, type_id)

    def _any_leaves(self, type_id: int) -> bool:
        return any(self._leaves(self._world.symbol(ancestor)) for ancestor in self.mro(type_id))

    def _leaves(self, symbol: Symbol) -> bool:
        memberless = languages()[self._world.file(symbol.file).language].types.memberless
        named = [base for base in symbol.bases if base.rpartition(".")[2] not in memberless] if memberless else []
        return any(
            target is not None and (target.outside is not None or target.is_built_in)
            for target in (self._base(symbol, base) for base in named)
        )

    def _property(self, order: tuple[int, ...], field: Symbol, name: str) -> list[Symbol]:
        """The property of an ancestor that a method assigns to, as if it were a field of the type itself."""
        methods = [
            member.line
            for same in self._world.members(field.parent).values()
            for member in same
            if member.kind in _METHODS
        ]
        if not methods or field.line < min(methods):
            return []
        above = (self._world.members(ancestor).get(name, ()) for ancestor in order[order.index(field.parent) + 1 :])
        return next(
            ([member for member in members if member.kind == SymbolKind.PROPERTY] for members in above if members), []
        )

    def member(
        self, type_id: int, name: str, skip_own: bool = False, use: Usage = ANY, side: Side = EITHER
    ) -> Target | None:
        """The member `name` of the type `type_id`: its own, unless `skip_own`, else the first that it inherits. `side`
        restricts it to members of the type or of its objects.
        """
        self._queries.record(type_id, name)
        key = (type_id, name, skip_own, use, side)
        return (
            self._member(*key)
            if self._bases.is_being_computed(type_id)
            else self._members.get_or_compute(key, None, self._member, *key)
        )

    def declared(self, symbol: int, name: str) -> Sequence[Symbol]:
        """The symbols called `name` that the type or other definition `symbol` contains itself."""
        self._queries.record(symbol, name)
        return self._world.members(symbol).get(name, ())

    def search_order(self, type_id: int, *names: str) -> tuple[int, ...]:
        """Return the MRO of the type `type_id` to a caller that searches it itself for members called `names`; these
        are recorded as looked up.
        """
        for name in names:
            self._queries.record(type_id, name)
        return self.mro(type_id)

    def constructors(self, type_id: int) -> list[Symbol]:
        """The constructors that the type `type_id` declares."""
        language = languages()[self._world.file(self._world.symbol(type_id).file).language]
        for name in language.symbols.constructors:
            self._queries.record(type_id, name)
        return [
            symbol
            for same in self._world.members(type_id).values()
            for symbol in same
            if symbol.kind == SymbolKind.CONSTRUCTOR
        ]

    def _is_labelled(self, symbol: Symbol) -> bool:
        """Whether argument labels are part of a function's name. A function whose labels do not fit a call is then no
        candidate.
        """
        return languages()[self._world.file(symbol.file).language].symbols.labels

    def _lookup_order(self, type_id: int) -> tuple[int, ...]:
        """The MRO of a type without the interfaces whose members it does not inherit (ECMA-334, 12.5)."""
        order, own = self.mro(type_id), self._world.symbol(type_id)
        if own.kind == SymbolKind.INTERFACE or not languages()[self._world.file(own.file).language].symbols.contracts:
            return order
        return tuple(base for base in order if self._world.symbol(base).kind != SymbolKind.INTERFACE)

    def _has_competing_overload(self, order: tuple[int, ...], current: int, fits: Sequence[Symbol], use: Usage) -> bool:
        """Whether a base also has a method for the call, with other parameters: the nearer one is chosen where the
        types fit.

        Source: ECMA-334, 12.8.10.2; The Swift Programming Language, "Function Declaration" (overloads by types). What
                is only required is no rival.
        """
        rules = languages()[self._world.file(fits[0].file).language].symbols if fits else None
        if rules is None or not (rules.invocable or rules.labels):
            return False
        known = {symbol.signature for symbol in fits}
        above = (self._world.members(base).get(fits[0].name, ()) for base in order[order.index(current) + 1 :])
        rivals = (symbol for members in above if members for symbol in applicable(self._names, members, use))
        return any(
            symbol.signature not in known and not (rules.labels and symbol.flags & SymbolFlag.ABSTRACT)
            for symbol in rivals
        )

    def _member(self, type_id: int, name: str, skip_own: bool, use: Usage, side: Side) -> Target | None:
        order = self._lookup_order(type_id)
        second: Target | None = None  # the nearest that takes another number of arguments
        for current in order[1:] if skip_own else order:
            if declared := self._world.members(current).get(name) or unscoped_enumerators(self._world, current, name):
                members = filter_static(
                    self._world,
                    [symbol for symbol in declared if symbol.kind != SymbolKind.CONSTRUCTOR] or declared,
                    side,
                )
                members = without_default_implementations(members) if self._is_labelled(members[0]) else members
                if members[0].kind == SymbolKind.FIELD and len(order) > 1 and self._has_properties(members[0]):
                    members = self._property(order, members[0], name) or members
                # `Shelf` inside Shelf is the type
                if members[0].kind != SymbolKind.CONSTRUCTOR or name != self._world.symbol(current).name:
                    fits = applicable(self._names, members, use)
                    others = (
                        ()
                        if fits or second or self._is_labelled(members[0])
                        else applicable(self._names, members, use.without_arguments)
                    )
                    if not fits and not others:
                        continue
                    found_here = self._names.select_overload(
                        fits or others, use, Origin.SELF if current == type_id else Origin.INHERITANCE
                    )
                    found_here = (
                        found_here.inferred()
                        if use.has_arguments and self._has_competing_overload(order, current, fits, use)
                        else found_here
                    )
                    found_here = found_here.bound_to(type_id, found_here.confidence, Origin(found_here.origin))
                    if fits:
                        return found_here
                    second = found_here.inferred()
        if second and name in languages()[self._world.file(self._world.symbol(type_id).file).language].symbols.ambient:
            return None
        return second
