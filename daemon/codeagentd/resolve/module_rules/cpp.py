"""C and C++: lookup of bare names in a file's own text, its namespaces and the files that it includes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, Confidence, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.overload_resolution import applicable, most_specific
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .include import SCOPE, include
from .included_files import IncludedFiles, Inclusion
from .rule import ModuleRule

EXPORTED: Final = int(SymbolFlag.EXPORTED)
_ROOTS: Final = frozenset({SymbolKind.FILE, SymbolKind.MODULE})
_SCOPED: Final = TYPES | {SymbolKind.NAMESPACE}
_TYPES: Final = _SCOPED | {SymbolKind.MACRO}  # what a name can mean where a type or a qualifier stands
_TAGGED: Final = frozenset({SymbolKind.STRUCT, SymbolKind.CLASS, SymbolKind.ENUM})
_MEMBERS: Final = frozenset({SymbolKind.FIELD, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
# what is compiled by itself; the others are included
_SOURCES: Final = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu")
_STANDARD: Final = "std"


class IncludedModules(ModuleRule):
    """The module rule of C and C++. A module is an included file, or a namespace if it begins with `::`."""

    depends_on_position = True
    finds_members_by_type = True

    def __init__(self) -> None:
        super().__init__(include)

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of `module`, as imported into `file`; `module` is an included file, or a namespace if it
        begins with `::`.
        """
        if not module.startswith(SCOPE):
            return names.imported_from_file(file, module, name, depth)
        path = module if name in ("", "*") else f"{module}{SCOPE}{name}"
        return names.state(CppLookup).qualified(file, names.world.symbol(file.symbol), path.lstrip(":")) or EXTERNAL

    def visible(self, names: NameLookup, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare `name` in the declaration `place`, as seen from the scope around it. In `typedef struct
        Shelf Shelf;` the name refers to the struct.
        """
        return names.state(CppLookup).visible(file, place, name, types_only)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and declared around it, in `file` or in a file
        that this one includes; `tag`: it is written as a struct, union or enum.
        """
        return names.state(CppLookup).free(file, place, name, tag, use)

    def is_foreign(self, names: NameLookup, file: File, name: str) -> bool:
        """Whether no file declares `name`, or it is `std`, to which programs add no types of their own (C++ working
        draft, [namespace.std]).
        """
        return name == _STANDARD or not names.world.named(name, file.language)

    def inside(self, names: NameLookup, file: File, namespace: Symbol, name: str, use: Usage) -> Target | None:
        """The member `name` of `namespace`, as seen in `file`: `shelves::lend`.

        A name in `std` that the repository does not declare is external, also where the repository specialises
        templates in `std`.
        """
        result = names.state(CppLookup).inside(file, namespace, name, use)
        return (
            EXTERNAL
            if result is None and namespace.name == _STANDARD and not names.state(CppLookup).container(namespace)
            else result
        )

    def nested(self, names: NameLookup, outer: Symbol, name: str) -> Target | None:
        """The type `name` that `outer` declares and that is defined elsewhere: `class Shelf::Book {…}`."""
        return names.state(CppLookup).nested(outer, name)


class CppLookup:
    """Looks up bare names of C and C++ in one state of the repository."""

    def __init__(self, names: NameLookup) -> None:
        self._names = names
        self._world = names.world
        self._inclusion = Inclusion(names.world)
        self._containers: dict[int, str] = {}
        self._used: dict[int, tuple[str, ...]] = {}

    def free(self, file: File, place: Symbol, name: str, tag: bool = False, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` that is used inside of `place` and that nothing in `file` binds; `tag`: it is
        written as a struct, union or enum.
        """
        result = self._free(file, place, name, tag, True) if use is TYPE else None
        return result or self._free(file, place, name, tag, False, use)

    def _free(
        self, file: File, place: Symbol, name: str, tag: bool, types_only: bool, use: Usage = ANY
    ) -> Target | None:
        for current in self._enclosing_symbols(place) if languages()[file.language].symbols.members_in_scope else ():
            for type_id in (current.id,) if current.kind in TYPES else gtest_fixture(self._names, current):
                result = self._names.inheritance.member(type_id, name, use=use)
                if result and (not types_only or self._world.symbol(result.symbol).kind in _TYPES):
                    return result
        candidates = [
            symbol
            for symbol in self._world.named_outside_types(name, file.language)
            if self._fits(file, symbol, tag) and not (types_only and symbol.kind not in _TYPES)
        ]
        if not candidates:
            return None
        seen = self._inclusion.of(file.id)
        visible = [symbol for symbol in candidates if self._is_seen(symbol, seen)]
        paths = self._paths(file, place)
        for path in paths if visible else ():
            if here := [symbol for symbol in visible if self.container(symbol) == path]:
                return self._choose(file, here, Origin.NAMESPACE if path else Origin.IMPORT, use)
        return self._unseen(
            file, [symbol for symbol in candidates if self.container(symbol) in paths], tag, seen.is_whole
        )

    def visible(self, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare `name` in the declaration `place`, as seen from the scope around it. In `typedef struct
        Shelf Shelf;` the name refers to the struct. With `types_only` only types are candidates.
        """
        if local := next(
            (result for current in self._enclosing_symbols(place) if (result := self._names.of_body(current, name))),
            None,
        ):
            return local
        scope = self._world.symbol(place.parent or place.id)
        if types_only and (place.name != name or place.kind != SymbolKind.TYPE):
            result = self._imported(file, name) or self._free(file, scope, name, False, True)
            return result or self._free(file, scope, name, True, True)
        return (
            self._free(file, scope, name, True, True)
            if types_only
            else self._imported(file, name) or self.free(file, scope, name)
        )

    def _imported(self, file: File, name: str) -> Target | None:
        """The target that a using declaration or an alias of the file binds to a name."""
        for entry in self._world.imports(file.id):
            if entry.local == name and entry.module.startswith(SCOPE):
                return self._names.imported(file, entry.module, entry.name)
        return None

    def inside(self, file: File, outer: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The member `name` of the namespace `outer`, as seen in `file`: `shelves::lend`."""
        path = f"{container}{SCOPE}{outer.name}" if (container := self.container(outer)) else outer.name
        here = [
            symbol for symbol in self._world.named_outside_types(name, file.language) if self.container(symbol) == path
        ]
        seen = self._inclusion.of(file.id)
        visible = [symbol for symbol in here if self._is_seen(symbol, seen)]
        if visible:
            return self._choose(file, visible, Origin.MEMBER, use)
        return (
            Target(here[0].id, confidence=int(Confidence.INFERRED), origin=int(Origin.UNIQUE_NAME))
            if len(here) == 1
            else None
        )

    def nested(self, outer: Symbol, name: str) -> Target | None:
        """The type `name` that is declared inside of `outer` and defined outside of it: `class Shelf::Book {…}`."""
        path = f"{self._world.qualified_name(outer.id)}{SCOPE}{name}"
        result = [
            symbol
            for symbol in self._world.qualified(self._world.file(outer.file).language, path)
            if symbol.kind in TYPES
        ]
        return Target(result[0].id, origin=int(Origin.MEMBER)) if len(result) == 1 else None

    def qualified(self, file: File, place: Symbol, path: str) -> Target | None:
        """The target of the qualified name `path`, such as `a::b::Shelf`, looked up part by part from `place` on."""
        head, *rest = path.split(SCOPE)
        target = self.free(file, place, head)
        for name in rest:
            target = self._names.member(target, name, place) if target and not target.is_external else None
        return target

    def container(self, symbol: Symbol) -> str:
        """The qualified name of the namespace or type in which the bare name of `symbol` is visible; '' for the file.

        Enumerators without a scope of their own are visible around their enum. In C the types inside of a struct are
        visible around it as well.
        """
        if symbol.id not in self._containers:
            names: list[str] = []
            current = symbol
            flat = languages()[self._world.file(symbol.file).language].symbols.spills
            while current.parent:
                outer = self._world.symbol(current.parent)
                if outer.kind in _ROOTS:
                    break
                spilt = (
                    SymbolKind(outer.kind).label in flat and current.flags & EXPORTED
                    if current.kind == SymbolKind.ENUM_MEMBER
                    else "struct" in flat
                )
                if not (spilt and outer.kind in TYPES and symbol.kind not in _MEMBERS):
                    names.insert(0, outer.name)
                current = outer
            self._containers[symbol.id] = SCOPE.join(names) if symbol.kind != SymbolKind.MACRO else ""
        return self._containers[symbol.id]

    def _fits(self, file: File, symbol: Symbol, tag: bool) -> bool:
        """Whether a name of this kind may refer to a symbol, which is no member. In C, tags are apart from other names
        (C11 6.2.3).
        """
        if symbol.kind in _ROOTS:
            return False
        if tag:
            return symbol.kind in _TAGGED
        if symbol.kind in _TAGGED and languages()[file.language].symbols.headers == "tags":
            return bool(symbol.flags & EXPORTED)
        return symbol.kind != SymbolKind.ENUM_MEMBER or bool(symbol.flags & EXPORTED)

    def _enclosing_symbols(self, place: Symbol) -> Iterator[Symbol]:
        current: Symbol | None = place
        while current is not None:
            yield current
            current = self._world.symbol(current.parent) if current.parent else None

    def _paths(self, file: File, place: Symbol) -> list[str]:
        """The scopes in which a bare name is looked up, innermost first: the namespaces and types around the place, the
        file, and the namespaces that are used.
        """
        names = [symbol.name for symbol in self._enclosing_symbols(place) if symbol.kind in _SCOPED]
        names.reverse()
        paths = [SCOPE.join(names[:count]) for count in range(len(names), -1, -1)]
        for used in self._used_namespaces(file):
            paths += [
                path
                for prefix in paths[: len(names) + 1]
                if (path := f"{prefix}{SCOPE}{used}" if prefix else used) not in paths
            ]
        return paths

    def _used_namespaces(self, file: File) -> tuple[str, ...]:
        if file.id not in self._used:
            self._used[file.id] = tuple(
                entry.module.removeprefix(SCOPE)
                for entry in self._world.imports(file.id)
                if entry.name == "*" and entry.module.startswith(SCOPE)
            )
        return self._used[file.id]

    def _choose(self, file: File, symbols: Sequence[Symbol], origin: Origin, use: Usage = ANY) -> Target:
        """One of several visible symbols. Macros come before other symbols, types before their aliases, and functions
        that take the arguments before other functions. A choice that this does not settle is inferred.

        A macro rarely hides the type of another file: `#ifdef OLD_NAMES`.
        """
        macros = [symbol for symbol in symbols if symbol.kind == SymbolKind.MACRO]
        places = {symbol.file for symbol in macros}
        if macros and (types := [symbol for symbol in symbols if symbol.kind in TYPES and symbol.file not in places]):
            return self._choose(file, types, origin).inferred()
        left = macros or list(symbols)
        left = [symbol for symbol in left if symbol.kind != SymbolKind.TYPE] or left
        if len(left) > 1 and use.is_call:
            left = list(applicable(self._names, left, use)) or left
            chosen, is_sure = most_specific(self._names, left, use)
            if is_sure:
                return Target(chosen[0].id, origin=int(origin))
        fits, left = left, [symbol for symbol in left if symbol.file == file.id] or left
        if len(left) == 1:
            result = Target(left[0].id, origin=int(origin))
            return result.inferred() if use.is_call and self._are_overloads(fits) else result
        first = min(
            most_specific(self._names, left, use)[0],
            key=lambda symbol: (self._world.file(symbol.file).path, symbol.line),
        )
        return Target(first.id, confidence=int(Confidence.INFERRED), origin=int(origin))

    def _are_overloads(self, symbols: Sequence[Symbol]) -> bool:
        """C++: whether several functions remain that only the types of a call's arguments tell apart."""
        functions = [symbol for symbol in symbols if symbol.kind == SymbolKind.FUNCTION]
        return (
            len(functions) > 1 and languages()[self._world.file(functions[0].file).language].symbols.headers == "types"
        )

    def _unseen(self, file: File, candidates: Sequence[Symbol], tag: bool, is_whole: bool) -> Target | None:
        """The target of a name that the included files do not declare: a symbol of a file that includes this one, else
        of a file whose includes are not known.

        A header may lean on what comes before it; a type may be declared where it is not defined. Elsewhere the name is
        another library's.
        """
        is_source = file.path.endswith(_SOURCES)
        may_be_included = not is_source or self._world.may_be_included(file)
        including = [
            symbol for symbol in (candidates if may_be_included else ()) if file.id in self._inclusion.of(symbol.file)
        ]
        is_open = not is_whole or not is_source
        left = including or [
            symbol
            for symbol in candidates
            if (symbol.flags & EXPORTED and is_open) or (symbol.kind in _TAGGED and (tag or file.language != "c"))
        ]
        # other files do not refer to what a source file defines for itself
        if len(left) > 1:
            left = [symbol for symbol in left if not self._world.file(symbol.file).path.endswith(_SOURCES)]
        return (
            Target(left[0].id, confidence=int(Confidence.INFERRED), origin=int(Origin.UNIQUE_NAME))
            if len(left) == 1
            else None
        )

    def _is_seen(self, symbol: Symbol, seen: IncludedFiles) -> bool:
        return symbol.file in seen or any(file in seen for file in self._world.declaring_files(symbol.id))


def gtest_fixture(names: NameLookup, symbol: Symbol) -> Sequence[int]:
    """The id of the fixture whose members are visible in a test that a macro defines, `TEST_F(Fixture, Name) {…}`;
    empty if `symbol` is no such test. A fixture is a class that inherits from another.

    Source: GoogleTest documentation, "Test Fixtures: Using the Same Data Configuration for Multiple Tests".
    """
    named = names.inheritance.bases(symbol).types if symbol.bases and symbol.kind not in TYPES else ()
    return [base for base in named if names.world.symbol(base).bases][:1]


def unscoped_enumerators(world: SymbolTable, outer: int, name: str) -> Sequence[Symbol]:
    """The enumerators called `name` that are visible in the type `outer`, since an unscoped enum inside of it has them:
    `Status::kBroken`.
    """
    file = world.file(world.symbol(outer).file)
    if not languages()[file.language].symbols.spills:
        return ()
    enums = [
        symbol for symbols in world.members(outer).values() for symbol in symbols if symbol.kind == SymbolKind.ENUM
    ]
    return [symbol for enum in enums for symbol in world.members(enum.id).get(name, ()) if symbol.flags & EXPORTED]
