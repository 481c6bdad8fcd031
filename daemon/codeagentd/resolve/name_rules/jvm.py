"""Java, Kotlin and Scala: packages that several files share, imports of single names and of everything.

Sources: Java Language Specification, chapters 6 (names), 7 (packages, import declarations) and 15.12.1; Kotlin language
specification, "Scopes and identifiers" and "Packages and imports"; Scala language specification, chapter 2,
"Identifiers, names and scopes".
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import ClassVar

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.overload_resolution import FUNCTIONS, applicable, is_function_where_type_expected
from codeagentd.resolve.symbol_table import File, Import, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind, method_returning
from codeagentd.resolve.usage import ANY, TYPE, VALUE, Usage

from .extension_members import accessor, extended, extension, is_extension, is_member, receivers
from .rule import NameRule


class PackageNames(NameRule):
    """The name rule of Java, Kotlin and Scala, which are one family: they see each other's packages."""

    wildcards_first: ClassVar[bool] = False  # whether names imported on demand hide those of the package
    has_relative_imports: ClassVar[bool] = False  # whether an import may begin inside of the enclosing packages

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of the package or type `module`, as imported into `file`: `import a.b.Shelf`, `import
        static a.b.Shelf.lend`, `import a.b.*`. EXTERNAL if the repository has none.
        """
        whole = module if name in ("", "*") else f"{module}.{name}" if module else name
        if name == "*" and languages()[file.language].symbols.objects:
            use = VALUE  # what has members to import
        if self.has_relative_imports and (near := self._near(names, file, whole, use)):
            return near.with_origin(Origin.IMPORT)
        whole = whole.removeprefix("_root_.")
        if result := self._qualified_symbol(names, file, whole, use):
            return result.with_origin(Origin.IMPORT)
        if use is not ANY and (result := self._qualified_symbol(names, file, whole)):
            return (
                result.inferred().with_origin(Origin.IMPORT) if use.has_arguments else result.with_origin(Origin.IMPORT)
            )
        holder = self._type(names, file, module.removeprefix("_root_.")) if name not in ("", "*") else None
        inherited = names.member(holder, name, None, use) if holder else None
        return inherited.with_origin(Origin.IMPORT) if inherited and inherited.symbol else EXTERNAL

    def _near(self, names: NameLookup, file: File, whole: str, use: Usage) -> Target | None:
        """The target of an import that begins inside of one of the packages of its file: in `package a.b`, `import c.D`
        may be a.b.c.D.
        """
        for package in names.world.packages(file.id):
            if result := self._qualified_symbol(names, file, f"{package}.{whole}", use):
                return result
        return None

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the type `text` in a declaration, as seen from the scope around `place`; EXTERNAL if only a
        function of the repository has the name (`fun String(vararg codePoints: Int)`).
        """
        result = super().declared(names, file, place, text)
        return EXTERNAL if result and result.symbol and names.world.symbol(result.symbol).kind in FUNCTIONS else result

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration, as for names in code. The members of
        a type are not visible in its own header.
        """
        outer = names.world.symbol(place.parent) if place.parent and place.kind in TYPES else place
        return self.free(names, file, outer, name, use)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` inside of `place`: a member of the enclosing types, then a name of the package,
        of a wildcard import, or a package. Any other capitalised name is external.
        """
        result = (
            self._nested(names, place, name, use)
            or self._implicit_receiver_extension(names, file, place, name, use)
            or self._beyond_types(names, file, place, name, use)
        )
        if result:
            return result
        if names.world.is_package(name):
            package = [symbol for symbol in self._named(names, file, name) if symbol.kind == SymbolKind.NAMESPACE]
            return _united(names, package) if package else Target(namespace=name, kind=TargetKind.PACKAGE)
        if name in languages()[file.language].types.copy and (
            receiver := next(receivers(names, _enclosing_symbols(names, place)), 0)
        ):
            return method_returning(Target(receiver, instance=True))  # `apply { … }` without a receiver gives `this`
        return EXTERNAL if name[:1].isupper() or name in languages()[file.language].receivers.globals else None

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a bare `name` inside of `place` that `file` binds to `symbol`: a member that a nearer type
        inherits, the overload of a member that fits `use`, else `symbol`.
        """
        current, unsure = place, False
        while current.parent and current.id != symbol.parent:
            for type_id in receivers(names, (current,)) if current.id != symbol.id else ():
                if inherited := names.inheritance.member(type_id, name, use=use):
                    return inherited.inferred() if unsure else inherited
                unsure = unsure or (
                    use is not TYPE and symbol.kind not in TYPES and not names.inheritance.is_mro_complete(type_id)
                )
            current = names.world.symbol(current.parent)
        if current.id != symbol.parent:
            return Target(symbol.id)
        if current.kind in TYPES:
            target = names.inheritance.member(current.id, name, use=use)
            if target is None:
                return self.free(names, file, names.world.symbol(current.parent), name, use) if current.parent else None
        else:
            is_apart = symbol.flags & SymbolFlag.LOCAL and names.world.has_local_duplicates(current.id, name)
            # a package may have its symbol under a longer name: `package a; package b`
            namesakes = (symbol,) if is_apart else names.world.members(current.id).get(name, (symbol,))
            fits = applicable(names, namesakes, use) or (symbol,)
            target = _united(names, _own(fits, symbol.file), use).with_origin(Origin.SCOPE)
        return target.inferred() if unsure else target

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage = ANY
    ) -> Target | None:
        """Scala: the target of the `name` that `import module.*` brings in. `module` is a package, object or value,
        itself looked up at `place`.
        """
        first, *rest = module.split(".")
        target = self.free(names, file, place, first, VALUE)
        for step in rest:
            target = names.member(target, step, place, VALUE) if target and not target.is_external else None
        result = names.member(target, name, place, use) if target and not target.is_external else None
        return result.with_origin(Origin.WILDCARD) if result and result.symbol else None

    def shadowing_member(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The member `name` that a type around `place` declares or inherits; it hides an imported name."""
        return self._nested(names, place, name, use)

    def fallback_member(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the member `name` of `target` where member lookup finds none: a member of a package, or an
        extension. EXTERNAL if a package lacks the name, None if no extension fits.
        """
        file = names.world.file(place.file)
        if target.kind == TargetKind.PACKAGE:
            package = target.namespace
        elif target.symbol and names.world.symbol(target.symbol).kind == SymbolKind.NAMESPACE:
            package = _full_name(names, names.world.symbol(target.symbol))
        elif languages()[file.language].symbols.extensions:
            return extension(names, self._levels(names, file, place, name), target, use) or accessor(
                names, target, name, use
            )
        else:
            return None
        whole = f"{package}.{name}"
        if result := self._qualified_symbol(names, file, whole, use):
            return result.with_origin(Origin.MEMBER)
        return Target(namespace=whole, kind=TargetKind.PACKAGE) if names.world.is_package(whole) else EXTERNAL

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The extension `name` that is called on a receiver of unknown type. It must be imported by its name into the
        file of `place`, unless no type of the repository has a member `name`.
        """
        file = names.world.file(place.file)
        if not languages()[file.language].symbols.extensions:
            return None
        if any(is_member(names.world, symbol) for symbol in names.world.named(name, file.language)):
            imports = [
                entry
                for entry in names.world.imports(file.id)
                if entry.local == name and names.named(entry.name, file.language)
            ]
            return extension(
                names,
                [[symbol for entry in imports for symbol in self._named(names, file, _dotted(entry))]],
                Target(),
                use,
            )
        return extension(names, self._levels(names, file, place, name), Target(), use)

    def _nested(self, names: NameLookup, place: Symbol, name: str, use: Usage) -> Target | None:
        """The member that the enclosing types and functions declare or inherit, innermost first."""
        current: Symbol | None = place
        unsure = False
        while current is not None and current.parent and current.kind != SymbolKind.NAMESPACE:
            for type_id in receivers(names, (current,)):
                if result := names.inheritance.member(type_id, name, use=use):
                    return result.inferred() if unsure else result
                unsure = unsure or (use is not TYPE and not names.inheritance.is_mro_complete(type_id))
            if current.kind not in TYPES and (
                local := [symbol for symbol in names.world.members(current.id).get(name, ()) if symbol.kind in TYPES]
            ):
                return names.first_by_position(local, Origin.SCOPE)
            current = names.world.symbol(current.parent)
        return None

    def _implicit_receiver_extension(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage
    ) -> Target | None:
        """An extension of one of the enclosing types, called without a receiver."""
        if use is TYPE or not languages()[file.language].symbols.extensions:
            return None
        result = (
            extension(names, self._levels(names, file, place, name), Target(type_id, instance=True), use)
            for type_id in receivers(names, _enclosing_symbols(names, place))
        )  # fmt: skip
        return next(
            (target for target in result if target and not target.confidence), None
        ) or self._external_receiver_extension(names, file, place, name, use)

    def _external_receiver_extension(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage
    ) -> Target | None:
        """The same, where the type is an external one that an enclosing extension extends."""
        enclosing = (
            symbol
            for symbol in _enclosing_symbols(names, place)
            if is_extension(symbol) and not names.inheritance.bases(symbol).types
        )
        for value in (names.values.type_of_annotation(symbol, symbol.bases[0]) for symbol in enclosing):
            result = extension(names, self._levels(names, file, place, name), value, use) if value else None
            if value and result and extended(names.world.symbol(result.symbol)) == value.type_name:
                return result
        return None

    def _levels(self, names: NameLookup, file: File, place: Symbol, name: str) -> Iterator[Sequence[Symbol]]:
        """The candidate extensions of a name by level, nearest first: of the enclosing types, imported, of the package,
        imported by wildcard.
        """
        imports = names.world.imports(file.id)
        imported_names = (name, *(entry.name for entry in imports if entry.local == name))
        # looked up all: a file depends on each of these names
        extensions = [names.symbols_where(file.language, imported, is_extension) for imported in imported_names]
        if not any(extensions):
            return
        for type_id in receivers(names, _enclosing_symbols(names, place)):
            yield [
                symbol
                for ancestor in names.inheritance.mro(type_id)
                for symbol in names.world.members(ancestor).get(name, ())
            ]
        yield [
            symbol for entry in imports if entry.local == name for symbol in self._named(names, file, _dotted(entry))
        ]
        for package in _enclosing_packages(names, file, place):
            yield self._named(names, file, f"{package}.{name}" if package else name)
        yield [
            symbol
            for entry in imports
            if entry.name == "*"
            for symbol in self._named(names, file, f"{entry.module}.{name}")
        ]

    def _beyond_types(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage) -> Target | None:
        packages = _enclosing_packages(names, file, place)
        imports = names.world.imports(file.id)
        for entry in imports:
            if entry.local == name and entry.name != "*":  # bound, unless the name stands before the package clause
                result = self.imported(names, file, entry.module, entry.name, use)
                if not is_function_where_type_expected(names.world, result, use):
                    return result
        wildcards = [entry.module for entry in imports if entry.name == "*"]
        first, second = (wildcards, packages) if self.wildcards_first else (packages, wildcards)
        for module in (*first, *second):
            whole = f"{module}.{name}" if module else name
            result = self._qualified_symbol(names, file, whole, use)
            if result is None and module and module not in packages and (holder := self._holder(names, file, module)):
                result = names.inheritance.member(holder.symbol, name, use=use)
            if result:
                result = result.with_origin(Origin.NAMESPACE if module in packages else Origin.WILDCARD)
                return result if self._is_sure(names, place, result, use) else result.inferred()
        return None

    def _is_sure(self, names: NameLookup, place: Symbol, target: Target, use: Usage) -> bool:
        """Whether no enclosing type may inherit another member of this name from outside of the repository, and the
        target needs no receiver.
        """
        symbol = names.world.symbol(target.symbol)
        if is_extension(symbol):
            return False
        if use is TYPE or symbol.kind in TYPES:
            return True
        return all(names.inheritance.is_mro_complete(type_id) for type_id in _enclosing_types(names, place))

    def _holder(self, names: NameLookup, file: File, module: str) -> Target | None:
        """The type or object whose members are imported on demand."""
        if self.has_relative_imports:
            near = self._near(names, file, module, VALUE)
            if near and names.world.symbol(near.symbol).kind in TYPES:
                return near
        return self._type(names, file, module)

    def _type(self, names: NameLookup, file: File, whole: str) -> Target | None:
        """The type with a qualified name, which may be inherited from a supertype of its outer type; None where there
        is none.
        """
        result = self._qualified_symbol(
            names, file, whole, VALUE if languages()[file.language].symbols.objects else TYPE
        )
        if result is None and "." in whole:
            outer, _, last = whole.rpartition(".")
            holder = self._type(names, file, outer)
            result = names.inheritance.member(holder.symbol, last, use=TYPE) if holder else None
        return result if result and result.symbol and names.world.symbol(result.symbol).kind in TYPES else None

    def _qualified_symbol(self, names: NameLookup, file: File, whole: str, use: Usage = ANY) -> Target | None:
        """The symbol with a whole name, of the file's own project where several projects have one."""
        named = self._named(names, file, whole)
        fits = applicable(names, named, use) if named else ()
        if not fits:
            return None
        fits = [symbol for symbol in fits if not is_extension(symbol)] or fits
        if len(fits) > 1:
            fits = [symbol for symbol in fits if names.world.file(symbol.file).project == file.project] or fits
            fits = _own(fits, file.id)
        return _united(names, fits, use)

    def _named(self, names: NameLookup, file: File, name: str) -> Sequence[Symbol]:
        """The symbols with a qualified name, in any language of the family."""
        return names.qualified(family_of(file.language), name)


class ScalaNames(PackageNames):
    """Name lookup of Scala."""

    wildcards_first = True
    has_relative_imports = True


class KotlinNames(PackageNames):
    """Name lookup of Kotlin."""

    has_further_bases = True

    def further_bases(self, names: NameLookup, symbol: Symbol) -> tuple[int, ...]:
        """The companion object, whose members are accessible by the name of the enclosing type."""
        result = [
            member
            for same in names.world.members(symbol.id).values()
            for member in same
            if member.kind in TYPES and member.flags & SymbolFlag.STATIC
        ]
        return tuple(
            member.id for member in sorted(result, key=lambda member: (names.world.file(member.file).path, member.line))
        )


def _united(names: NameLookup, fits: Sequence[Symbol], use: Usage = ANY) -> Target:
    """The target of several symbols: a package is one symbol, however many projects and languages add to it."""
    if all(symbol.kind == SymbolKind.NAMESPACE for symbol in fits):
        return Target(
            min(fits, key=lambda symbol: (names.world.file(symbol.file).path, symbol.line)).id,
            origin=int(Origin.NAMESPACE),
        )
    return names.select_overload(fits, use, Origin.NAMESPACE)


def _own(fits: Sequence[Symbol], file: int) -> Sequence[Symbol]:
    """The symbols of the file itself, where types or values of one name are declared for several platforms or
    versions.
    """
    return [symbol for symbol in fits if symbol.file == file and symbol.kind not in FUNCTIONS] or fits


def _dotted(entry: Import) -> str:
    return f"{entry.module}.{entry.name}" if entry.module else entry.name


def _enclosing_packages(names: NameLookup, file: File, place: Symbol) -> list[str]:
    """The packages whose members a place sees without import, innermost first; '' is the package without a name.

    Around the innermost one those count that the file itself opens: another file may open them all at once (Scala 2.13
    specification, 9.2).
    """
    innermost = next(
        (symbol for symbol in _enclosing_symbols(names, place) if symbol.kind == SymbolKind.NAMESPACE), None
    )
    if innermost is None:
        return [""]
    whole = _full_name(names, innermost)
    return [whole, *(package for package in names.world.packages(file.id) if whole.startswith(f"{package}."))]


def _enclosing_types(names: NameLookup, place: Symbol) -> list[int]:
    return [symbol.id for symbol in _enclosing_symbols(names, place) if symbol.kind in TYPES]


def _enclosing_symbols(names: NameLookup, place: Symbol) -> Iterator[Symbol]:
    """A place and everything around it, without the file."""
    while place.parent:
        yield place
        place = names.world.symbol(place.parent)


def _full_name(names: NameLookup, symbol: Symbol) -> str:
    return ".".join(reversed([outer.name for outer in _enclosing_symbols(names, symbol)]))


@functools.cache
def family_of(language: str) -> tuple[str, ...]:
    """The languages that see the packages of `language`. `language` itself comes first."""
    family = languages()[language].family
    return (
        language,
        *(other.name for other in languages().values() if family and other.family == family and other.name != language),
    )
