"""Swift: lookup of names in the files of a module, and in the modules that these import.

Source: The Swift Programming Language, "Access Control" (modules and source files), "Extensions", and the reference's
        "Import Declaration".
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from codeagentd.model.kinds import TYPES, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.overload_resolution import FUNCTIONS, applicable
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.syntax.signatures import parameters_in
from codeagentd.resolve.targets import EXTERNAL, OPAQUE, Target, TargetKind, origin_of
from codeagentd.resolve.usage import ANY, INSTANCE, STATIC, TYPE, Side, Usage

from .jvm import PackageNames

_PLACED: Final = re.compile(r"(?:(?:static|class|dynamic|optional) )*")  # stands before a function's type parameters
_BOUND: Final = re.compile(r":\s*(?:any\s+)?([\w.]+)")


class SwiftNames(PackageNames):
    """The name rule of Swift. A module is a package without a clause. Extensions are declarations of their type, so
    that their members need no rule.
    """

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`, as imported into `file` by `import struct Lib.Shelf`; None for the import
        of a whole module, which is its files.
        """
        if name in ("", "*"):
            return None
        result = self._qualified_symbol(names, file, f"{module}.{name}", use)
        return result.with_origin(Origin.IMPORT) if result else EXTERNAL

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` inside of `place`: a member of the enclosing types, then a name of the own
        module, of the imported modules, or a module. Any other capitalised name is external.
        """
        if result := self._nested(names, place, name, use) or self._of_extended(names, place, name, use):
            return result
        extended: Target | None = None  # by this module, whose own it is not
        for module in self._modules(names, file):
            if result := self._qualified_symbol(names, file, f"{module}.{name}" if module else name, use):
                result = result.with_origin(Origin.NAMESPACE if module == file.module else Origin.WILDCARD)
                if not _is_foreign(names, result):
                    return result if self._is_sure(names, place, result, use) else result.inferred()
                extended = extended or result
        if extended:
            return extended
        if any(other.language == file.language for other in names.world.files_of_module(name)):
            return Target(namespace=name, kind=TargetKind.SWIFT_MODULE)
        return EXTERNAL if name[:1].isupper() else None

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a bare `name` inside of `place` that `file` binds to `symbol`. If `symbol` is an extension of
        another module's type, the name refers to that type.
        """
        return (
            self.free(names, file, place, name, use)
            if _is_external_type_extension(symbol)
            else super().bound(names, file, place, symbol, name, use)
        )

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration: a type. For a type parameter it is
        the bound, whose members its values have.
        """
        scope: Symbol | None = place
        while scope is not None:
            if parameter := _type_parameter(scope, name):
                bound = _BOUND.search(parameter)
                return names.expression(place, bound[1]) if bound and bound[1] != name else None
            scope = names.world.symbol(scope.parent) if scope.parent else None
        return super().lookup_first_name(names, file, place, name, use)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target`, as seen inside of `place`. For an external type it is one that
        an extension adds, in the own module of `place` before the imported ones.
        """
        value = names.values.type_of_target(target)
        if value is not None and value.kind == TargetKind.OPAQUE:
            return None  # it may be one of what a container holds
        if value is None or not (_is_foreign(names, value) or (value.is_external and not value.symbol)):
            return names.default_member(target, name, place, use)
        if value.symbol and (result := self._added(names, place, value, name, use)):
            return result
        if value.symbol and (extended := self._extended(names, names.world.symbol(value.symbol))):
            return names.default_member(
                Target(extended, instance=value.instance, confidence=value.confidence), name, place, use
            )
        return self.fallback_member(names, place, value, name, use)

    def fallback_member(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target` where member lookup finds none: a declaration of a module, or a
        member that extensions add. EXTERNAL if `target` is of a known type that has neither.
        """
        if target.kind == TargetKind.SWIFT_MODULE:
            result = self._qualified_symbol(names, names.world.file(place.file), f"{target.namespace}.{name}", use)
            return result.with_origin(Origin.MEMBER) if result else EXTERNAL
        symbol = names.world.symbol(target.symbol) if target.symbol else None
        if symbol is not None and symbol.kind in TYPES and (added := self._added(names, place, target, name, use)):
            return added
        is_known = (
            target.is_external
            if symbol is None
            else symbol.kind != SymbolKind.TYPE or _is_external_type_extension(symbol)
        )
        return (
            self._extension_of_external_type(names, place, target, name, use)
            if is_known and not target.alternatives and not target.confidence
            else None
        )

    def _extension_of_external_type(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage
    ) -> Target | None:
        """A member that an extension of any external type adds, which may be a protocol's; else an external one."""
        named = names.named(name, names.world.file(place.file).language)
        added = [
            candidate
            for candidate in named
            if candidate.parent and _is_external_type_extension(names.world.symbol(candidate.parent))
        ]
        fits = applicable(names, added, use) if added else ()
        if fits and not use.is_call:
            fits = [candidate for candidate in fits if candidate.kind not in FUNCTIONS] or fits
        if fits:
            return names.first_by_position(fits, Origin.TYPE).inferred() if len(fits) == 1 else None
        result = names.values.container_method(target, name)
        if result.kind == TargetKind.EXTERNAL and (target.element or target.subscripted):
            return msgspec.structs.replace(OPAQUE, callback_value=result.callback_value)
        return result

    def _added(self, names: NameLookup, place: Symbol, extended: Target, name: str, use: Usage) -> Target | None:
        """A member that an extension adds to a type of another module, or to an external one; of the place's own module
        before others.
        """
        side = INSTANCE if extended.instance else STATIC
        symbol = names.world.symbol(extended.symbol)
        whole = _whole_name(names, symbol)
        for module in self._modules(names, names.world.file(place.file)) if names.named(name, "swift") else ():
            for candidate in names.world.qualified("swift", f"{module}.{whole}" if module else whole):
                if _is_external_type_extension(candidate) and (
                    result := names.inheritance.member(candidate.id, name, use=use, side=side)
                ):
                    return result.bound_to(candidate.id, extended.confidence, origin_of(extended))
        return names.inheritance.member(symbol.id, name, use=use, side=side)

    def _of_extended(self, names: NameLookup, place: Symbol, name: str, use: Usage) -> Target | None:
        """A member of a type of another module, in an extension of it."""
        current: Symbol | None = place
        while current is not None:
            if (extended := self._extended(names, current)) and (
                result := names.inheritance.member(extended, name, use=use)
            ):
                return result
            current = names.world.symbol(current.parent) if current.parent else None
        return None

    def _extended(self, names: NameLookup, symbol: Symbol) -> int:
        """The type of another module that extensions are of; 0 for none."""
        if not _is_external_type_extension(symbol):
            return 0
        file, whole = names.world.file(symbol.file), _whole_name(names, symbol)
        wholes = (f"{module}.{whole}" for module in self._modules(names, file) if module != file.module)
        return next(
            (
                candidate.id
                for known in wholes
                for candidate in names.world.qualified("swift", known)
                if candidate.kind in TYPES and not _is_external_type_extension(candidate)
            ),
            0,
        )

    def _modules(self, names: NameLookup, file: File) -> list[str]:
        """The module of a file and those that it imports whole."""
        return [file.module, *(entry.module for entry in names.world.imports(file.id) if entry.name == "*")]

    def own(
        self, names: NameLookup, owner: int, place: Symbol, name: str, above: bool, use: Usage = ANY
    ) -> Target | None:
        """The member `name` of `self` inside of `place`, a part of the type `owner`; in a static member `self` is the
        type. With `above` only inherited members are candidates.
        """
        result = names.inheritance.member(owner, name, skip_own=above, use=use, side=_side(names, place))
        if result is None and (extended := self._extended(names, names.world.symbol(owner))):
            result = names.inheritance.member(extended, name, use=use, side=_side(names, place))
        return result.with_origin(Origin.SUPER) if result and above else result

    def of_class(self, names: NameLookup, owner: int, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The static member `name` of the type `owner`: `Self.lend`."""
        return names.inheritance.member(owner, name, use=use, side=STATIC)

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """None: extensions are members of their types, so that a receiver of unknown type has no extensions."""
        return None


def _type_parameter(symbol: Symbol, name: str) -> str:
    """The type parameter of this name that a definition declares, with its bound; '' for none."""
    head = symbol.signature if symbol.kind in TYPES else _PLACED.sub("", symbol.head, count=1)
    if not head.startswith("<") or name not in [
        parameter.partition(":")[0].strip().rpartition(" ")[2] for parameter in parameters_in(head)
    ]:
        return ""
    match = re.search(rf"\b{re.escape(name)}\s*:[^,>]*", head)
    return match[0] if match else name


def _whole_name(names: NameLookup, symbol: Symbol) -> str:
    """The name of a type inside of its module."""
    whole, module = names.world.qualified_name(symbol.id), names.world.file(symbol.file).module
    return whole.removeprefix(f"{module}.") if module else whole


def _is_external_type_extension(symbol: Symbol) -> bool:
    """Whether a symbol only contains the members that extensions add to an external type."""
    return symbol.kind == SymbolKind.TYPE and not symbol.type


def _is_foreign(names: NameLookup, target: Target) -> bool:
    """Whether a type is one from elsewhere that is extended here."""
    return bool(target.symbol) and _is_external_type_extension(names.world.symbol(target.symbol))


def _side(names: NameLookup, place: Symbol) -> Side:
    """Whether `self` is the type or one of its objects inside of `place`."""
    while place.parent and names.world.symbol(place.parent).kind not in TYPES:
        place = names.world.symbol(place.parent)
    return STATIC if place.flags & SymbolFlag.STATIC else INSTANCE
