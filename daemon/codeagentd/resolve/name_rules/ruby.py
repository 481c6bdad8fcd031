"""Ruby: constants by nesting, ancestors and top level; methods of the object, of its class, and those of the top level.

Source: ISO/IEC 30170, 11.5.4.2 "Constants", 13.3.5 "Method lookup"; Ruby documentation, "Modules and Classes".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import OWN_BASE, USERS_BASE
from codeagentd.model.kinds import TYPES, Confidence, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, OPAQUE, Target
from codeagentd.resolve.usage import ANY, SET, TYPE, Usage

from .rule import NameRule

STATIC: Final = int(SymbolFlag.STATIC)
# a field without a sigil is one of a class and of its objects
_SETTABLE: Final = frozenset({SymbolKind.PROPERTY, SymbolKind.FIELD})
_METHODS: Final = frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION, *_SETTABLE})
_MODULE_FUNCTION: Final = "module_function"
_CONCERN: Final = f"{OWN_BASE}ActiveSupport::Concern"
_FOR_CLASSES: Final = ("ClassMethods", "class_methods")
_INCLUDED: Final = "included"
# what a class without others inherits from, where that is not Object
_ROOTS: Final = {"Object": "Kernel", "BasicObject": "BasicObject"}
_LONGEST_RETURN: Final = 6  # methods that return what the next one gives
_LONGEST_REQUIRE: Final = 6  # files followed from one to the next


class RubyNames(NameRule):
    """The name rule of Ruby. Classes and modules are symbols that many files share, known by their qualified names."""

    has_further_bases = True

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the base class or mixed-in module `text` of `place`, looked up in the scopes around `place`;
        EXTERNAL if the repository has none.
        """
        text = text.replace(".", "::")
        first, *rest = text.removeprefix("::").split("::")
        # a module only mixes in
        outer = (
            ""
            if text.startswith("::")
            else _nesting(names, place.id if place.kind == SymbolKind.TRAIT else place.parent)
        )
        result = next(
            (result for prefix in _prefixes(outer) if (result := _constant(names, file, prefix, first))), None
        )
        if result is None and not text.startswith("::"):
            result = _constant(names, file, names.world.qualified_name(place.id), first)
        if result is None and rest:  # a class of a module from elsewhere that is reopened here: Minitest::Test
            return _constant(names, file, ".".join((first, *rest[:-1])), rest[-1]) or EXTERNAL
        for name in rest:
            result = _constant(names, file, names.world.qualified_name(result.symbol), name) if result else None
        return result or EXTERNAL

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration: a constant or a method of self. In a
        class method `new` is the constructor of the class.
        """
        result = self.free(names, file, place, name)
        if (
            result is None
            and name == "new"
            and _is_static(place)
            and (owner := _owner(names.world, place))
            and owner.kind != SymbolKind.TRAIT
        ):
            return Target(owner.id, origin=int(Origin.CONSTRUCTOR))
        return result

    def further_bases(self, names: NameLookup, symbol: Symbol) -> tuple[int, ...]:
        """The ids of types whose members `symbol` has besides those of the bases that it names.

        They are the `included` block of a concern, the same type as reopened in projects that its own project depends
        on, and Object (for Object itself Kernel).
        """
        whole, file = names.world.qualified_name(symbol.id), names.world.file(symbol.file)
        result = [candidate.id for candidate in _inside(names, symbol, _INCLUDED)]
        if names.world.entries(file.path, file.language):
            same = names.world.qualified(file.language, whole)
            result += [
                candidate.id
                for candidate in same
                if candidate.id != symbol.id and candidate.kind in TYPES and _is_needed(names.world, file, candidate)
            ]
        if (
            symbol.kind == SymbolKind.CLASS
            and (root := _constant(names, file, "", _ROOTS.get(whole, "Object")))
            and root.symbol != symbol.id
        ):
            result += [root.symbol] if _is_seen(names, file, names.world.symbol(root.symbol)) else []
        return tuple(dict.fromkeys(result))

    def is_type(self, place: Symbol) -> bool:
        """Whether `self` is the enclosing type inside of `place`: in methods of the type itself, and in its body."""
        return _is_static(place)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` inside of `place`: a constant, a variable with a sigil, a method of self, or a
        method of the top level.
        """
        owner = _owner(names.world, place)
        if name.startswith("$"):
            variables = names.world.qualified(file.language, name)
            return names.first_by_position(variables, Origin.SCOPE) if variables else None
        if name.startswith("@"):
            return _field(names, owner, name) if owner else None
        if name.startswith("::"):
            return _constant(names, file, "", name[2:]) or EXTERNAL
        if name[:1].isupper() and not use.is_call:
            result = self._constant_here(names, file, owner, name)
            return result or (None if _is_declared(names.world, file, name) else EXTERNAL)
        if name == "super":
            return self._overridden(names, owner, place) if owner else None
        if owner and (result := self.own(names, owner.id, place, name, False)):
            return result
        return _top_level_function(names, file, name) or (
            EXTERNAL if name in languages()[file.language].symbols.ambient else None
        )

    def may_be_unknown_member(self, names: NameLookup, place: Symbol, name: str) -> bool:
        """Whether an unresolved bare `name` inside of `place` may be a method that `self` has from elsewhere: from a
        type that mixes the module in, or from a part of the type outside of the repository.
        """
        return _owner(names.world, place) is not None and (name[0].islower() or name[0] == "_") and name != "super"

    def own(
        self, names: NameLookup, owner: int, place: Symbol, name: str, above: bool, use: Usage = ANY
    ) -> Target | None:
        """The method `name` of `self` inside of `place`, a part of the type `owner`. In methods of the type itself, and
        in its body, `self` is the type. With `above` only inherited methods are candidates.
        """
        static = _is_static(place)
        result = _method(names, owner, name, static, above, use)
        # in a block that is run by an object, `it "lends" do … end`, or by the class that includes a module
        if result is None and place.kind in TYPES:
            result = _method(names, owner, name, False, above, use) or _concern_method(names, owner, name, use)
            return result.inferred() if result else None
        return result

    def of_class(self, names: NameLookup, owner: int, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The method `name` of `self.class` inside of `place`, a part of the type `owner`. None if `owner` is a
        module, since the class of its objects is not known, or if `self` is itself a type.
        """
        is_module = names.world.symbol(owner).kind == SymbolKind.TRAIT
        return None if is_module or _is_static(place) else self.member_of_target(names, place, Target(owner), name, use)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target`: a constant or method of a type (`A::B`, `A.make`, `A.new`), or a
        method of an object.
        """
        value = _method_result(names, names.values.type_of_target(target))
        if value is None or not value.symbol:
            return value
        symbol = names.world.symbol(value.symbol)
        if symbol.kind not in TYPES:
            return None
        if value.instance or value.origin == Origin.CONSTRUCTOR:
            result = _method(names, symbol.id, name, False, False, use)
            if result is None:
                return names.values.universal_method(
                    Target(symbol.id, instance=True, confidence=value.confidence, origin=value.origin), name
                )
            return result.bound_to(
                symbol.id, value.confidence, Origin.TYPE if value.origin == Origin.TYPE else Origin.CONSTRUCTOR
            )
        if name[:1].isupper() and not use.is_call:
            file = names.world.file(symbol.file)
            for ancestor in names.inheritance.mro(symbol.id):
                if constant := _constant(names, file, names.world.qualified_name(ancestor), name):
                    return constant.with_origin(Origin.MEMBER)
        result = _method(names, symbol.id, name, True, False, use)
        if result is None and name == "new" and symbol.kind != SymbolKind.TRAIT:
            # called or not, one of its objects
            return Target(symbol.id, origin=int(Origin.CONSTRUCTOR), confidence=value.confidence)
        if (
            result is None
            and not symbol.parent
            and symbol.name in languages()[names.world.file(symbol.file).language].types.core
        ):
            return OPAQUE  # Ruby's own
        return result.bound_to(symbol.id, value.confidence, Origin.MEMBER) if result else None

    def _constant_here(self, names: NameLookup, file: File, owner: Symbol | None, name: str) -> Target | None:
        """In the nesting, then in the ancestors of the innermost type, then at the top."""
        whole = names.world.qualified_name(owner.id) if owner else ""
        nesting = [prefix for prefix in _prefixes(whole) if prefix]
        inherited = (
            [names.world.qualified_name(ancestor) for ancestor in names.inheritance.mro(owner.id)[1:]] if owner else []
        )
        for prefix in (*nesting, *inherited, ""):
            if result := _constant(names, file, prefix, name):
                unsure = not prefix and owner is not None and not _all_known(names, owner.id)
                return _guess(result) if unsure else result
        return None

    def _overridden(self, names: NameLookup, owner: Symbol, place: Symbol) -> Target | None:
        method: Symbol | None = place
        while method is not None and method.kind not in (*_METHODS, SymbolKind.CONSTRUCTOR):
            method = names.world.symbol(method.parent) if method.parent else None
        return _by(_method(names, owner.id, method.name, _is_static(method), True), Origin.SUPER) if method else None


def _method_result(names: NameLookup, target: Target | None) -> Target | None:
    """The result of a method, which is called where it is named; as often as the result is again a method."""
    for _ in range(_LONGEST_RETURN):
        if target is not None and target.known_return_type:
            return target.known_return_type
        if target is None or not target.symbol or names.world.symbol(target.symbol).kind not in _METHODS:
            return target
        target = names.values.type_of_call(target)
    return None


def _owner(world: SymbolTable, place: Symbol) -> Symbol | None:
    """The innermost type around a place."""
    current: Symbol | None = place
    while current is not None and current.kind not in TYPES:
        current = world.symbol(current.parent) if current.parent else None
    return current


def _nesting(names: NameLookup, parent: int) -> str:
    owner = _owner(names.world, names.world.symbol(parent)) if parent else None
    return names.world.qualified_name(owner.id) if owner else ""


def _prefixes(whole: str) -> Iterator[str]:
    """`A.B` gives `A.B`, `A` and ``."""
    while whole:
        yield whole
        whole = whole.rpartition(".")[0]
    yield ""


def _is_declared(world: SymbolTable, file: File, name: str) -> bool:
    """Whether any type or constant of the repository has this name; others come from elsewhere."""
    return any(
        symbol.kind in TYPES or symbol.kind == SymbolKind.CONSTANT for symbol in world.named(name, file.language)
    )


def _is_seen(names: NameLookup, file: File, symbol: Symbol) -> bool:
    """Whether a symbol is of a file's own project, or of one that it depends on."""
    return names.world.file(symbol.file).project == file.project or _is_needed(names.world, file, symbol)


def _constant(names: NameLookup, file: File, prefix: str, name: str) -> Target | None:
    """The type or constant with a whole name, that of the file's own project first, then those of projects that it
    depends on.
    """
    if not names.named(name, file.language):
        return None
    whole = f"{prefix}.{name}" if prefix else name
    result = [
        symbol
        for symbol in names.qualified((file.language,), whole)
        if symbol.kind in TYPES or symbol.kind == SymbolKind.CONSTANT
    ]
    if len(result) > 1:
        own = [symbol for symbol in result if names.world.file(symbol.file).project == file.project]
        result = own or [symbol for symbol in result if _is_needed(names.world, file, symbol)] or result
    return names.first_by_position(result, Origin.SCOPE) if result else None


def _method(names: NameLookup, type_id: int, name: str, static: bool, above: bool, use: Usage = ANY) -> Target | None:
    """A method by name, in the order of method lookup."""
    order = names.inheritance.search_order(type_id, *((name, f"{name}=") if use is SET else (name,)))
    for current in order[1:] if above else order:
        symbol = names.world.symbol(current)
        # which the class runs as its own body
        mixed_in = symbol.kind == SymbolKind.TRAIT and current != type_id and symbol.name != _INCLUDED
        if static and mixed_in:
            if result := _extended(names, symbol, name, use, USERS_BASE):
                return result
            continue
        members = _named(names.world, current, name, use)
        is_any = _on_both_sides(symbol, static)
        chosen = [
            member for member in members if bool(member.flags & STATIC) == static or member.kind == SymbolKind.FIELD
        ] or (members if is_any else [])
        if chosen:
            return names.first_by_position(chosen, Origin.SELF if current == type_id else Origin.INHERITANCE)
        if static and (result := _extended(names, symbol, name, use, OWN_BASE)):
            return result
    return None


def _on_both_sides(symbol: Symbol, static: bool) -> bool:
    """Whether the methods of a module are methods of its users and of itself: it extends itself, or uses
    `module_function`.
    """
    return OWN_BASE + ("self" if static else _MODULE_FUNCTION) in symbol.bases


def _named(world: SymbolTable, type_id: int, name: str, use: Usage) -> Sequence[Symbol]:
    """The methods of a name that a type defines itself; an assignment calls `name=`, which `attr_accessor` makes as
    well.
    """
    members = world.members(type_id)
    if use is SET:
        return members.get(f"{name}=") or [member for member in members.get(name, ()) if member.kind in _SETTABLE]
    return [
        member for member in members.get(name, ()) if member.kind in _METHODS or member.kind == SymbolKind.CONSTRUCTOR
    ]


def _extended(names: NameLookup, symbol: Symbol, name: str, use: Usage, mark: str) -> Target | None:
    """A method of a module that a type extends itself with, or a module its users, as `mark` says."""
    return next(
        (
            result
            for module in _modules(names, symbol, mark)
            if (result := _method(names, module, name, False, False, use))
        ),
        None,
    )


def _concern_method(names: NameLookup, owner: int, name: str, use: Usage) -> Target | None:
    """A method that the users of a concern get from it, for the block that runs in them."""
    symbol = names.world.symbol(owner)
    ancestors = names.inheritance.mro(symbol.parent) if symbol.name == _INCLUDED and symbol.parent else ()
    return next(
        (
            result
            for ancestor in ancestors
            if (result := _extended(names, names.world.symbol(ancestor), name, use, USERS_BASE))
        ),
        None,
    )


def _modules(names: NameLookup, symbol: Symbol, mark: str) -> Iterator[int]:
    """The modules that a type extends itself with (OWN_BASE), or that a module extends its users with (USERS_BASE). A
    concern's ClassMethods are among the latter (ActiveSupport documentation, Concern).
    """
    for base in symbol.bases:
        text = base.removeprefix(mark)
        if text != base and text not in ("self", _MODULE_FUNCTION):
            target = RubyNames().declared(names, names.world.file(symbol.file), symbol, text)
            if target and target.symbol and names.world.symbol(target.symbol).kind in TYPES:
                yield target.symbol
    if mark == USERS_BASE:
        yield from (module.id for module in _inside(names, symbol, *_FOR_CLASSES))


def _inside(names: NameLookup, symbol: Symbol, *part_names: str) -> Iterator[Symbol]:
    """The modules inside of a concern that have one of these names (Active Support, Concern)."""
    inside = names.world.members(symbol.id) if _CONCERN in symbol.bases else {}
    return (module for name in part_names for module in inside.get(name, ()) if module.kind == SymbolKind.TRAIT)


def _field(names: NameLookup, owner: Symbol, name: str) -> Target | None:
    for current in names.inheritance.search_order(owner.id, name):
        if fields := names.world.members(current).get(name):
            return names.first_by_position(fields, Origin.SELF if current == owner.id else Origin.INHERITANCE)
    return None


def _is_static(place: Symbol) -> bool:
    return bool(place.flags & STATIC) or place.kind in TYPES


def _all_known(names: NameLookup, type_id: int) -> bool:
    return all(
        names.inheritance.bases(names.world.symbol(ancestor)).are_known for ancestor in names.inheritance.mro(type_id)
    )


def _top_level_function(names: NameLookup, file: File, name: str) -> Target | None:
    """A function of the top level: of the file itself, or of one that it requires."""
    collected = [symbol for symbol in names.world.qualified(file.language, name) if symbol.kind == SymbolKind.FUNCTION]
    if not collected:
        return None
    if own := [symbol for symbol in collected if symbol.file == file.id]:
        return names.first_by_position(own, Origin.SCOPE)
    loaded = _required_files(names, file)
    reached: Sequence[Symbol] = [symbol for symbol in collected if symbol.file in loaded]
    return names.first_by_position(reached, Origin.IMPORT) if reached else None


def _required_files(names: NameLookup, file: File) -> set[int]:
    """The files that a file requires, and those that these require."""
    seen, fresh = {file.id}, [file]
    for _ in range(_LONGEST_REQUIRE):
        entries = [(other, entry.module) for other in fresh for entry in names.world.imports(other.id) if entry.module]
        fresh = [
            required for other, module in entries for required in names.files(other, module) if required.id not in seen
        ]
        seen.update(required.id for required in fresh)
    return seen


def _guess(target: Target) -> Target:
    return Target(
        target.symbol,
        target.namespace,
        int(Confidence.INFERRED),
        target.origin,
        target.instance,
        kind=target.kind,
        module=target.module,
    )


def _by(target: Target | None, origin: Origin) -> Target | None:
    return target.with_origin(origin) if target else None


def _is_needed(world: SymbolTable, file: File, symbol: Symbol) -> bool:
    """Whether a symbol is declared in a project that a file's project depends on and loads."""
    loaded = tuple(f"{place}/" for _, places in world.entries(file.path, file.language) for place in places)
    return any(
        world.file(place).path.startswith(loaded) for place in world.declaring_files(symbol.id) or (symbol.file,)
    )
