"""C#: namespaces that several files share, using directives, members of the types around, extension methods.

Source: ECMA-334, C# language specification: 7.8 (names of namespaces and types), 12.5 (member lookup), 12.8.4 (simple
        names), 12.8.7 (member access), 12.8.10.3 (extension method invocations), 14.5 (using directives).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.module_rules.namespaces import enclosing_namespaces
from codeagentd.resolve.overloads.csharp_delegates import EXTENDED, type_arity, type_parameters
from codeagentd.resolve.overloads.overload_resolution import applicable, most_specific
from codeagentd.resolve.symbol_table import File, Import, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .rule import NameRule

_VALUES: Final = frozenset({SymbolKind.PROPERTY, SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.EVENT})
_NAMESPACE_MEMBERS: Final = TYPES | {SymbolKind.NAMESPACE}  # what namespaces hold
_ANYTHING: Final = frozenset({"dynamic", "var"})


class Usings(NamedTuple):
    """The targets of the using directives of one file.

    `wholes`: the qualified names of the namespaces and types whose members the file uses by their bare names.
    `holders`: the ids of those that the repository declares. `named`: the imports with a local name, by that name.
    """

    wholes: tuple[str, ...]
    holders: tuple[int, ...]
    named: Mapping[str, Import]


class CSharpNames(NameRule):
    """The name rule of C#."""

    depends_on_writing = True

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of the namespace or type `module`, as imported into `file` (`using Shelves;`, `using
        Book = Shelves.Book;`). A path inside of a namespace may be relative to it.
        """
        whole = f"{module}.{name}" if name not in ("", "*") else module
        for prefix in _prefixes(names, file):
            if result := self._qualified_symbol(names, file, _joined(prefix, whole), ANY):
                return result.with_origin(Origin.IMPORT)
        return EXTERNAL

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration, as for names in code. The members of
        a type are not visible in its own header; a type parameter gives None.
        """
        if name in _ANYTHING or _is_parameter(names, place, name):
            return None
        outer = names.world.symbol(place.parent) if place.parent and place.kind in TYPES else place
        return self.free(names, file, outer, name, TYPE)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` inside of `place`: a member of the enclosing functions and types, then of the
        enclosing namespaces, then of the used ones. Else EXTERNAL, or None if an unknown base may have it.
        """
        result = self._near(names, place, name, use) or self._beyond_types(names, file, place, name, use)
        if result or name in _ANYTHING:
            return result
        return None if names.world.named(name, file.language) and not _is_settled(names, place) else EXTERNAL

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a bare `name` inside of `place` that `file` binds to `symbol`. It is looked up like any other
        name: a nearer type may inherit the name, and `use` tells types and members apart.
        """
        return self.free(names, file, place, name, use)

    def shadowing_member(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The member `name` of the functions and types around `place`; it hides an imported name."""
        return self._near(names, place, name, use)

    def own(
        self, names: NameLookup, owner: int, place: Symbol, name: str, above: bool, use: Usage = ANY
    ) -> Target | None:
        """The member `name` of `this`; with `above` of `base`, and external if no base class in the
        repository has it.
        """
        result = super().own(names, owner, place, name, above, use)
        return result or (EXTERNAL if above else None)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`. If the member does not take the
        arguments of the call, an extension method that does comes first.
        """
        result = names.default_member(target, name, place, use)
        if (
            use.has_arguments
            and result
            and result.symbol
            and not applicable(names, (names.world.symbol(result.symbol),), use)
        ):
            value = names.values.type_of_target(target)
            return (self._extension(names, place, value, name, use) if value and value.instance else None) or result
        return result

    def fallback_member(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target` where member lookup finds none: a member of a namespace, or an
        extension method. EXTERNAL if the namespace, or a type that is known for certain, has neither.
        """
        if target.kind == TargetKind.PACKAGE:
            return self._of_namespace(names, place, target.namespace, name, use)
        if target.symbol and names.world.symbol(target.symbol).kind == SymbolKind.NAMESPACE:
            return self._of_namespace(names, place, names.world.qualified_name(target.symbol), name, use)
        if not (target.instance or target.is_external):
            return None
        result = self._extension(names, place, target, name, use)
        return result or (EXTERNAL if target.symbol and not target.confidence else None)

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The extension method `name` that is called on a receiver of unknown type; None if the repository has another
        symbol of that name.
        """
        named = names.world.named(name, names.world.file(place.file).language) if use.is_call else ()
        if not named or any(not extended(symbol) for symbol in named):
            return None
        return self._extension(names, place, None, name, use)

    def of_arity(self, names: NameLookup, target: Target, arity: int) -> Target:
        """The type with `arity` type parameters among those with the qualified name of `target`; `target` itself if
        there is none, or if it is no type.
        """
        symbol = names.world.symbol(target.symbol)
        if symbol.kind not in TYPES or target.instance:
            return target
        file = names.world.file(symbol.file)
        same = [
            candidate
            for candidate in names.world.qualified(file.language, names.world.qualified_name(symbol.id))
            if candidate.kind in TYPES
        ]
        fits = [candidate for candidate in same if type_arity(candidate) == arity]
        if len(same) == 1 or not fits:
            return target
        return self._chosen(names, file, fits).with_origin(Origin(target.origin))

    def decorator(
        self, names: NameLookup, file: File, place: Symbol, name: str, has_receiver: bool, receiver: Target | None
    ) -> Target | None:
        """The class of the attribute `name` inside of `place`: `[Marked]` is MarkedAttribute. None if the repository
        has no such class.
        """
        name += languages()[file.language].symbols.attribute_suffix
        if has_receiver:
            result = names.member(receiver, name, place, TYPE) if receiver else None
        else:
            result = names.lookup_unbound(file, place, name, TYPE)
        return result if result and result.symbol else None

    def as_written(
        self, names: NameLookup, target: Target, type_arguments: int, member: str, *, has_receiver: bool
    ) -> Target:
        """The target of a reference with `type_arguments` type arguments, whose name was resolved to `target`.

        `Shelf<Book>` refers to the type with one type parameter. In `Book.Size` a value `Book` stands for its type
        `Book` if only the type has the `member`.
        """
        if member and not has_receiver:
            target = self._disambiguate_color_color(names, target, member)
        return self.of_arity(names, target, type_arguments)

    def _disambiguate_color_color(self, names: NameLookup, target: Target, name: str) -> Target:
        """The target of a bare name from which a member is read: the type instead of a value with the name of its
        type, where only the type has the member (12.8.7.2).
        """
        symbol = names.world.symbol(target.symbol)
        value = names.values.type_of_symbol(symbol) if symbol.kind in _VALUES and not target.instance else None
        if value is None or not value.symbol or names.world.symbol(value.symbol).name != symbol.name:
            return target
        target_member = names.inheritance.member(value.symbol, name)
        member = names.world.symbol(target_member.symbol) if target_member and target_member.symbol else None
        if member is None or not (
            member.flags & SymbolFlag.STATIC or member.kind == SymbolKind.ENUM_MEMBER or member.kind in TYPES
        ):
            return target
        return Target(value.symbol, confidence=value.confidence, origin=int(Origin.NAMESPACE))

    def _near(self, names: NameLookup, place: Symbol, name: str, use: Usage) -> Target | None:
        for current in _enclosing_symbols(names, place):
            if current.kind in TYPES:
                if result := names.inheritance.member(current.id, name, use=use):
                    return result
            elif current.kind != SymbolKind.NAMESPACE:
                functions = [
                    symbol
                    for symbol in names.world.members(current.id).get(name, ())
                    if symbol.kind not in _NAMESPACE_MEMBERS
                ]
                if functions and (fits := applicable(names, functions, use)):
                    return names.first_by_position(fits, Origin.SCOPE)
        return None

    def _beyond_types(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage) -> Target | None:
        usings = self._usings(names, file)
        ours = {
            names.world.qualified_name(symbol.id)
            for symbol in names.symbols_where(file.language, name, _is_namespace_member)
        }
        wholes = [_joined(prefix, name) for prefix in enclosing_namespaces(names, place)]
        for whole in wholes:
            if (whole in ours or names.world.is_package(whole)) and (
                result := self._qualified_symbol(names, file, whole, use)
            ):
                return result
        if entry := usings.named.get(name):
            return names.imported(file, entry.module, entry.name)
        for module in usings.wholes if ours else ():
            if (whole := f"{module}.{name}") in ours and (result := self._qualified_symbol(names, file, whole, use)):
                return result
        for holder in usings.holders if names.world.named(name, file.language) else ():
            if result := names.inheritance.member(holder, name, use=use):
                return result.with_origin(Origin.WILDCARD)
        return next(
            (Target(namespace=whole, kind=TargetKind.PACKAGE) for whole in wholes if names.world.is_package(whole)),
            None,
        )

    def _usings(self, names: NameLookup, file: File) -> Usings:
        """The targets of a file's directives, each looked up once."""
        cached = names.state(_usings_of_files)
        usings = cached.get(file.id)
        if usings is None:
            entries = (*names.world.imports(file.id), *names.world.global_imports(file))
            wholes = tuple(_used(names, file, [entry.module for entry in entries if entry.name == "*"]))
            holders = tuple(
                holder.symbol for whole in wholes if (holder := self._qualified_symbol(names, file, whole, TYPE))
            )
            named = {entry.local: entry for entry in reversed(entries) if entry.name != "*"}
            usings = cached[file.id] = Usings(wholes, holders, named)
        return usings

    def _of_namespace(self, names: NameLookup, place: Symbol, namespace: str, name: str, use: Usage) -> Target | None:
        whole = f"{namespace}.{name}"
        if result := self._qualified_symbol(names, names.world.file(place.file), whole, use):
            return result.with_origin(Origin.MEMBER)
        return Target(namespace=whole, kind=TargetKind.PACKAGE) if names.world.is_package(whole) else EXTERNAL

    def _qualified_symbol(self, names: NameLookup, file: File, whole: str, use: Usage) -> Target | None:
        """The symbol with a qualified name in a namespace."""
        result = [symbol for symbol in names.world.qualified(file.language, whole) if symbol.kind in _NAMESPACE_MEMBERS]
        if use in (TYPE, ANY):
            result = [symbol for symbol in result if symbol.kind in TYPES] or result
        return self._chosen(names, file, result) if result else None

    def _chosen(self, names: NameLookup, file: File, symbols: Sequence[Symbol]) -> Target:
        """One of several symbols of a name, preferably of the file's own project. All declarations of a namespace are
        one symbol.
        """
        own = [symbol for symbol in symbols if names.world.file(symbol.file).project == file.project] or symbols
        result = names.first_by_position(own, Origin.NAMESPACE)
        return Target(result.symbol, origin=result.origin) if own[0].kind == SymbolKind.NAMESPACE else result

    def _extension(
        self, names: NameLookup, place: Symbol, target: Target | None, name: str, use: Usage
    ) -> Target | None:
        """The extension of the nearest level that takes a call: exact where it is the only one that extends a type of
        the receiver.
        """
        if not use.is_call:
            return None
        for level in self._levels(names, place, name):
            fits = applicable(names, level, use.with_receiver_argument()) if level else ()
            by_closeness = {symbol: self._closeness(names, symbol, target) for symbol in fits}
            best = max(by_closeness.values(), default=0)
            if best:
                near = [symbol for symbol, closeness in by_closeness.items() if closeness == best]
                result = names.first_by_position(
                    most_specific(names, near, use.with_receiver_argument())[0], Origin.NAMESPACE
                )
                if best == 1 or len(near) > 1 or target is None:
                    return result.inferred()
                return result.bound_to(target.symbol, target.confidence, Origin.NAMESPACE)
        return None

    def _levels(self, names: NameLookup, place: Symbol, name: str) -> Iterator[Sequence[Symbol]]:
        """The extensions of a name by level: those of each enclosing namespace, innermost first, then those of the
        namespaces and types that the file uses.
        """
        file = names.world.file(place.file)
        collected = [symbol for symbol in names.named(name, file.language) if extended(symbol)]
        if not collected:
            return
        for prefix in enclosing_namespaces(names, place):
            yield [symbol for symbol in collected if prefix == _namespace(names, symbol)]
        used = frozenset(self._usings(names, file).wholes)
        yield [
            symbol
            for symbol in collected
            if not used.isdisjoint((_namespace(names, symbol), names.world.qualified_name(symbol.parent)))
        ]

    def _closeness(self, names: NameLookup, symbol: Symbol, target: Target | None) -> int:
        """The closeness of an extension's first parameter to a value: 0 not applicable, 1 unknown, more the nearer its
        type is.
        """
        extended_type = names.values.type_of_annotation(symbol, extended(symbol))
        if target is None or extended_type is None:
            return 1
        if not extended_type.symbol:
            return int(not target.symbol or not names.inheritance.is_mro_complete(target.symbol))
        order = names.inheritance.mro(target.symbol) if target.symbol else ()
        return 2 + len(order) - order.index(extended_type.symbol) if extended_type.symbol in order else 0


def _usings_of_files(names: NameLookup) -> dict[int, Usings]:
    """The directives of files, by the id of the file."""
    return {}


def extended(symbol: Symbol) -> str:
    """The type that the extension method `symbol` extends, as written; '' for any other symbol."""
    result = EXTENDED.match(symbol.signature) if symbol.kind == SymbolKind.METHOD else None
    return result[1] if result else ""


def _enclosing_symbols(names: NameLookup, place: Symbol) -> Iterator[Symbol]:
    """A place and everything around it, the file at last."""
    yield place
    while place.parent:
        place = names.world.symbol(place.parent)
        yield place


def _is_settled(names: NameLookup, place: Symbol) -> bool:
    """Whether all bases of the enclosing types are known or external."""
    types = (current.id for current in _enclosing_symbols(names, place) if current.kind in TYPES)
    inherited = (ancestor for type_id in types for ancestor in names.inheritance.mro(type_id))
    return all(names.inheritance.bases(names.world.symbol(ancestor)).are_settled for ancestor in inherited)


def _is_parameter(names: NameLookup, place: Symbol, name: str) -> bool:
    """Whether a definition around has a type parameter of this name."""
    return any(name in type_parameters(current) for current in _enclosing_symbols(names, place))


def _prefixes(names: NameLookup, file: File) -> list[str]:
    """The namespaces that a file's directives may be relative to, innermost first, and the global one."""
    parts = [package.split(".") for package in names.world.packages(file.id)]
    return [*dict.fromkeys(".".join(part[:count]) for part in parts for count in range(len(part), 0, -1)), ""]


def _used(names: NameLookup, file: File, modules: Iterable[str]) -> Iterator[str]:
    """The qualified names of the namespaces that directives name; they may be relative to the namespaces of the
    file.
    """
    language, prefixes = file.language, _prefixes(names, file)
    for module in modules:
        wholes = (_joined(prefix, module) for prefix in prefixes)
        yield next(
            (
                whole
                for whole in wholes
                if any(map(_is_namespace_member, names.world.qualified(language, whole)))
                or names.world.is_package(whole)
            ),
            module,
        )


def _is_namespace_member(symbol: Symbol) -> bool:
    """Whether a namespace may contain a symbol."""
    return symbol.kind in _NAMESPACE_MEMBERS


def _namespace(names: NameLookup, symbol: Symbol) -> str:
    """The qualified name of the namespace of an extension's class. The class may be missing in a file that is being
    written.
    """
    outer = symbol
    while outer.parent and outer.kind != SymbolKind.NAMESPACE:
        outer = names.world.symbol(outer.parent)
    return names.world.qualified_name(outer.id) if outer.kind == SymbolKind.NAMESPACE else ""


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
