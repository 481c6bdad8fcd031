"""Haskell: modules with lists of what they export and import; types and values have names of their own.

Source: Haskell 2010 Language Report, 5 "Modules".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, Origin, SymbolFlag, kinds_of
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.query_cache import QueryCache
from codeagentd.resolve.symbol_table import File, Import, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .rule import NameRule

_ALL: Final = "*"
_MEMBERS: Final = ".*"
_EXPORTED: Final = int(SymbolFlag.EXPORTED)
# a name that a module of the repository has from elsewhere
_UNKNOWN: Final = Target(kind=TargetKind.EXTERNAL)

Key = tuple[int, str, bool]


class HaskellNames(NameRule):
    """The name rule of Haskell. A name that a file does not define comes through one of its imports."""

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` of `module`; a member of a type or class is `T.X`."""
        files = names.files(file, module)
        if not files:
            return EXTERNAL
        if name in ("", _ALL):
            return Target(files[0].symbol, origin=int(Origin.IMPORT))
        if name.endswith(_MEMBERS):
            return None
        owner, last = _split(name)
        is_type = use is TYPE or (use is ANY and not owner and name[:1].isupper())
        result = _exported(names, files[0], last, is_type) or (
            None if owner else _exported(names, files[0], last, not is_type)
        )
        return result.with_origin(Origin.IMPORT) if result else _UNKNOWN

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` that nothing in `file` binds: what an import without a list brings in, or all
        members of a type. A type that begins with a small letter is a variable.
        """
        if not (names.named(name, file.language) and (use is not TYPE or not name[:1].islower())):
            return EXTERNAL
        return _visible(names, file, name, use is TYPE) or EXTERNAL

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a `name` that `file` defines as `symbol`: another one, where a type or a value of the name is
        meant and the file defines only the other.
        """
        if use is ANY or (use is TYPE) == (symbol.kind in TYPES):
            return Target(symbol.id)
        return self.free(names, file, place, name, use)

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of the class or type `name` in the head of an instance or class."""
        return _visible(names, file, name, use is TYPE)

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of the qualified `name` of the module `target`, or of another one that is imported under the same
        name.
        """
        file, is_type = names.world.file(place.file), use is TYPE
        outside = target.outside.name if target.outside else ""
        if not outside and not (target.symbol and names.world.symbol(target.symbol).kind in SCOPES_OF_NAMES):
            return EXTERNAL
        modules = [(entry, names.files(file, entry.module)) for entry in _qualifiers(names, file)]
        aliases = {
            entry.local
            for entry, files in modules
            if entry.module == outside or (files and files[0].symbol == target.symbol)
        }
        for entry, files in modules:
            if entry.local in aliases and files and (result := _exported(names, files[0], name, is_type)):
                return result.with_origin(Origin.MEMBER)
        return names.default_member(target, name, place, use) if outside else EXTERNAL


def _qualifiers(names: NameLookup, file: File) -> list[Import]:
    return [entry for entry in names.world.imports(file.id) if entry.module and not entry.name]


def _split(name: str) -> tuple[str, str]:
    """(type or class, member) of an imported name; an operator may have dots."""
    owner, dot, last = name.partition(".")
    return (owner, last) if dot and owner and last else ("", name)


def _definitions(names: NameLookup, file: File, name: str, is_type: bool) -> list[Symbol]:
    """The definitions of `name` of the file itself, among them members of its types."""
    kinds = kinds_of(languages()[file.language].symbols.open_types)
    results = []
    for symbol in names.named(name, file.language):
        if symbol.file == file.id and (symbol.kind in TYPES) == is_type:
            outer = symbol.parent
            if outer == file.symbol or (outer and names.world.symbol(outer).kind in kinds):
                results.append(symbol)
    return results


def _cache(names: NameLookup) -> QueryCache[Key, Target | None]:
    """A cache of exported targets by the id of a file, a name, and whether it is a type."""
    return QueryCache(names.queries)


def _scope(names: NameLookup) -> QueryCache[Key, Target | None]:
    """A cache of visible targets by the id of a file, a name, and whether it is a type."""
    return QueryCache(names.queries)


def _exported(names: NameLookup, file: File, name: str, is_type: bool) -> Target | None:
    """The target of `name` for files that import `file`."""
    return names.state(_cache).get_or_compute(
        (file.id, name, is_type), None, _find_exported, names, file, name, is_type
    )


def _find_exported(names: NameLookup, file: File, name: str, is_type: bool) -> Target | None:
    named: Sequence[Symbol] = names.named(name, file.language)
    if not named:
        return None
    own = [symbol for symbol in _definitions(names, file, name, is_type) if symbol.flags & _EXPORTED]
    if own:
        return names.first_by_position(own, Origin.MEMBER)
    items = set[str]()
    for entry in names.world.imports(file.id):
        if entry.exported and entry.module:
            if result := _through(names, file, entry, name, is_type):
                return result
        elif entry.exported:
            items.add(entry.name)
    if name in items and (is_type or not name[:1].isupper()):
        return _visible(names, file, name, is_type)
    result = _visible(names, file, name, is_type) if any("." in item for item in items) else None
    owner = _owner(names, result) if result else ""
    return None if items.isdisjoint((f"{owner}.{name}", f"{owner}{_MEMBERS}", f"pattern.{name}")) else result


def _visible(names: NameLookup, file: File, name: str, is_type: bool) -> Target | None:
    """The target of the bare `name` at the top of `file`."""
    return names.state(_scope).get_or_compute((file.id, name, is_type), None, _find_visible, names, file, name, is_type)


def _find_visible(names: NameLookup, file: File, name: str, is_type: bool) -> Target | None:
    if own := _definitions(names, file, name, is_type):
        return names.first_by_position(own, Origin.SCOPE)
    for entry in names.world.imports(file.id):
        if entry.module and (result := _through(names, file, entry, name, is_type)):
            return result
    return None


def _through(names: NameLookup, file: File, entry: Import, name: str, is_type: bool) -> Target | None:
    """The target of `name` if the import `entry` of `file` brings it in."""
    owner, last = _split(entry.name) if entry.name != _ALL else ("", _ALL)
    if last not in (_ALL, name) or (entry.name != _ALL and not entry.local) or not entry.name:
        return None
    if last == name and not owner and name[:1].isalpha() and is_type != name[:1].isupper():
        return None  # a type without its constructor of the same name
    files = names.files(file, entry.module)
    result = _exported(names, files[0], name, is_type) if files else None
    if result is None or (owner and last == _ALL and _owner(names, result) != owner):
        return None
    if entry.name == _ALL and _is_hidden(names, file, entry.module, name):
        return None
    return result.with_origin(Origin.WILDCARD if last == _ALL else Origin.IMPORT)


def _owner(names: NameLookup, member: Target) -> str:
    """The name of the type or class that a constructor, field or method belongs to."""
    parent = names.world.symbol(member.symbol).parent
    return names.world.symbol(parent).name if parent else ""


def _is_hidden(names: NameLookup, file: File, module: str, name: str) -> bool:
    return any(
        entry.module == module and not entry.local and entry.name not in ("", _ALL) and _split(entry.name)[1] == name
        for entry in names.world.imports(file.id)
    )
