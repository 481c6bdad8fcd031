"""Rust: paths through crates and modules, use declarations, globs, and lookup of bare names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.model.kinds import TYPES, Origin, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.query_cache import QueryCache
from codeagentd.resolve.symbol_table import File, Import, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, Target, TargetKind
from codeagentd.resolve.usage import ANY, Usage

from .rule import FUNCTIONS, ModuleRule

LONGEST_CHAIN: Final = 12  # use declarations followed before a cycle is assumed
_MODULES: Final = frozenset({SymbolKind.FILE, SymbolKind.MODULE})
# have no name among values (The Rust Reference, "Namespaces")
NOT_CALLABLE: Final = _MODULES | {SymbolKind.ENUM, SymbolKind.TRAIT, SymbolKind.TYPE}
_OWN_CRATES: Final = ("bin", "tests", "examples", "benches")
_EXPORTED: Final = int(SymbolFlag.EXPORTED)
_PUBLIC: Final = int(SymbolFlag.PUBLIC_API)


class RustModules(ModuleRule):
    """The module rule of Rust. Modules are files and blocks of a crate; paths lead through them, `use`
    brings names in.
    """

    depends_on_position = True
    importing = FUNCTIONS

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `use module::name` in `file`; for `mod name;` it is the file of that module."""
        return _imported(names, file, module, name)

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage
    ) -> Target | None:
        """The target of `name` if the glob `use module::*` in a function around `place` brings it in, else None."""
        target = _imported(names, file, module, "")
        result = _through_glob(names, target, name, file, 0, use.is_call) if target else None
        return result.with_origin(Origin.WILDCARD) if result and result.symbol else None

    def visible(self, names: NameLookup, file: File, place: Symbol, name: str, types_only: bool) -> Target | None:
        """The target of a bare `name` in the declaration `place`, by the same rules as in code."""
        return self.free(names, file, place, name, ANY, False)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The target of a bare `name` that is not bound around `place`: an item or import of its module, one behind a
        glob, a macro, or a crate. Any other name is external, since only the prelude can have it.

        Source: The Rust Reference, "Names", "Preludes".
        """
        return _free(names, file, place, name, use.is_call)

    def exported_member(self, names: NameLookup, module: Symbol, name: str, use: Usage) -> Target | None:
        """The target of `name` in the module `module`, as written after it in a path."""
        return item_of_module(names, module.id, name, called=use.is_call)


def _imported(names: NameLookup, file: File, module: str, name: str, depth: int = 0) -> Target | None:
    """The target of a use declaration (The Rust Reference, "Use declarations"); EXTERNAL for other crates, None when a
    module lacks the name.
    """
    if module.startswith("./"):
        result = _file_of(names, file, module[2:])
        return Target(result.symbol, origin=int(Origin.IMPORT)) if result else EXTERNAL
    scope = _path(names, file, module, depth)
    if name in ("", "*") or scope is None or scope.is_external:
        return scope
    target = _step(names, scope, name, depth)
    return target.with_origin(Origin.IMPORT) if target else None


def _free(names: NameLookup, file: File, place: Symbol, name: str, called: bool) -> Target | None:
    scope = _scope_of(names, place)
    if name in ("crate", "super", "self"):
        root = _root(names, file).symbol if name == "crate" else _outer(names, scope) if name == "super" else scope
        return Target(kind=TargetKind.RUST_MODULE, module=root) if root else EXTERNAL
    current = place
    while current.id != scope and current.parent:
        if current.kind not in TYPES and (items := names.world.members(current.id).get(name)):
            return names.first_by_position(items, Origin.SCOPE)
        current = names.world.symbol(current.parent)
    target = (
        item_of_module(names, scope, name, file, called=called)
        or _macro(names, file, name)
        or _crate(names, file, name)
    )
    return target or (None if len(name) == 1 else EXTERNAL)  # `T` may be a parameter


def item_of_module(
    names: NameLookup, scope: int, name: str, asking: File | None = None, depth: int = 0, called: bool = False
) -> Target | None:
    """The target of `name` in the module with the id `scope`.

    `asking` is the file that looks the name up through a glob, and does not see private items; None stands for a path,
    which sees everything. With `called` only callable items are candidates.
    """
    if name == "super":
        return Target(kind=TargetKind.RUST_MODULE, module=_outer(names, scope))
    symbol = names.world.symbol(scope)
    file = names.world.file(symbol.file)
    hidden = 0 if asking is None else _needed(asking, file)
    key = (scope, name, -1 - hidden if called else hidden)
    known = names.state(_member_cache)
    return known.get_or_compute(key, None, _member, names, symbol, file, name, hidden, depth, called)


def _member_cache(names: NameLookup) -> QueryCache[tuple[int, str, int], Target | None]:
    """A cache of targets by a module, a name in it, and the flag that private names lack."""
    return QueryCache(names.queries)


def _member(
    names: NameLookup, scope: Symbol, file: File, name: str, hidden: int, depth: int, called: bool
) -> Target | None:
    if depth > LONGEST_CHAIN:
        names.queries.mark_incomplete()
        return None
    own = [symbol for symbol in names.world.members(scope.id).get(name, ()) if not hidden or symbol.flags & hidden]
    own = [symbol for symbol in own if symbol.kind not in NOT_CALLABLE] if called else own
    if own:
        return names.first_by_position(own, Origin.NAMESPACE)
    globs = []
    for local, entry in _imports(names, scope):
        if entry.name == "*" and (not hidden or entry.exported):
            globs.append(entry)
        elif local == name and (not hidden or entry.exported):
            result = _imported(names, file, entry.module, entry.name, depth + 1)
            if result and not (called and result.symbol and names.world.symbol(result.symbol).kind in NOT_CALLABLE):
                return result
    for entry in globs:
        target = _imported(names, file, entry.module, "", depth + 1)
        result = _through_glob(names, target, name, file, depth, called) if target else None
        if result and not result.is_external:
            return result.with_origin(Origin.WILDCARD)
    return None


def _needed(asking: File, file: File) -> int:
    """The visibility flag that an item needs to be seen from another file: none by modules inside, `pub` in whatever
    form by the crate, `pub` itself by others.
    """
    if asking.id == file.id or (asking.project == file.project and f"{asking.module}::".startswith(f"{file.module}::")):
        return 0
    return _EXPORTED if asking.project == file.project and _crate_name(asking) == _crate_name(file) else _PUBLIC


def _through_glob(
    names: NameLookup, target: Target, name: str, file: File, depth: int, called: bool = False
) -> Target | None:
    if not target.symbol:
        return None
    symbol = names.world.symbol(target.symbol)
    if symbol.kind in _MODULES:
        return item_of_module(names, symbol.id, name, file, depth + 1, called)
    result = names.world.members(symbol.id).get(name) if symbol.kind == SymbolKind.ENUM else None
    return names.first_by_position(result, Origin.WILDCARD) if result else None


def _imports(names: NameLookup, scope: Symbol) -> Iterator[tuple[str, Import]]:
    """(name in this module, import) of the imports of a module; those of modules inside a file have their names in
    front.
    """
    inside: list[str] = []
    while scope.parent:
        inside.insert(0, f"{scope.name}::")
        scope = names.world.symbol(scope.parent)
    prefix = "".join(inside)
    for entry in names.world.imports(scope.file):
        if entry.local.startswith(prefix) and "::" not in entry.local[len(prefix) :]:
            yield entry.local[len(prefix) :], entry


def _path(names: NameLookup, file: File, path: str, depth: int) -> Target | None:
    head, *rest = path.split("::")
    target: Target | None
    if not head:
        crate, *rest = rest or [""]  # `use ::self` names none
        target = _crate(names, file, crate) or EXTERNAL
    elif head == "crate":
        target = Target(_root(names, file).symbol)
    elif head == "self":
        target = Target(file.symbol)
    elif head == "super":
        target = Target(_outer(names, file.symbol))
    else:
        target = item_of_module(names, file.symbol, head, file, depth + 1) or _crate(names, file, head) or EXTERNAL
    for name in rest:
        if target is None or target.is_external:
            return target
        target = _step(names, target, name, depth)
    if target is None or target.is_external:
        return target
    return target.with_origin(Origin.IMPORT) if target.symbol else None


def _step(names: NameLookup, scope: Target, name: str, depth: int) -> Target | None:
    if not scope.symbol:
        return None
    symbol = names.world.symbol(scope.symbol)
    if symbol.kind in _MODULES:
        return (
            Target(_outer(names, symbol.id))
            if name == "super"
            else item_of_module(names, symbol.id, name, None, depth + 1)
        )
    return names.member(scope, name)


def _scope_of(names: NameLookup, place: Symbol) -> int:
    """The innermost module around a place."""
    while place.kind not in _MODULES and place.parent:
        place = names.world.symbol(place.parent)
    return place.id


def _outer(names: NameLookup, scope: int) -> int:
    """The module around a module."""
    symbol = names.world.symbol(scope)
    return symbol.parent or _parent(names, names.world.file(symbol.file)).symbol


def _parent(names: NameLookup, file: File) -> File:
    root = _crate_name(file)
    outer = file.module.rpartition("::")[0]
    if file.module == root or outer == root:
        return _root(names, file)
    return next(_of_project(names, file, outer), file)


def _root(names: NameLookup, file: File) -> File:
    """The root of the crate that a file belongs to: where a library and a program share a folder, the one that declares
    the module.
    """
    crate = _crate_name(file)
    if file.module == crate:
        return file
    roots = [*_of_project(names, file, crate), *_of_project(names, file, f"bin::{crate}")]
    top = file.module[len(crate) :].lstrip(":").partition("::")[0]
    declares = (
        root
        for root in roots
        if any(entry.local == top and entry.module.startswith("./") for entry in names.world.imports(root.id))
    )
    return next(declares, roots[0] if roots else file)


def _crate_name(file: File) -> str:
    parts = file.module.split("::")
    return "::".join(parts[: 2 if parts[0] in _OWN_CRATES else 1])


def _of_project(names: NameLookup, file: File, module: str) -> Iterator[File]:
    return (
        other
        for other in names.world.files_of_module(module)
        if other.project == file.project and other.language == file.language
    )


def _file_of(names: NameLookup, file: File, module: str) -> File | None:
    """The file that `mod module;` means (The Rust Reference, "Module source filenames")."""
    folder, name = posixpath.split(file.path)
    if module.endswith(".rs"):
        return names.world.file_at(posixpath.normpath(posixpath.join(folder, module)))
    stem = posixpath.splitext(name)[0]
    if stem != "mod" and file.module != _crate_name(file):
        folder = posixpath.join(folder, stem)
    place = posixpath.join(folder, module)
    return names.world.file_at(f"{place}.rs") or names.world.file_at(f"{place}/mod.rs")


def _crate(names: NameLookup, file: File, name: str) -> Target | None:
    """A crate of this repository that the manifest around a file names."""
    for crate, places in names.world.entries(file.path, file.language):
        if crate == name and places and (root := names.world.file_at(places[0])):
            return Target(root.symbol, origin=int(Origin.IMPORT))
    return None


def _macro(names: NameLookup, file: File, name: str) -> Target | None:
    """A macro by its bare name: of a module around the file, or one declared beside those (The Rust Reference, "Macros
    By Example", "Path-based scope").
    """
    current, seen = file, set[int]()
    while names.symbols_where(file.language, name, _is_macro) and current.id not in seen:
        seen.add(current.id)
        for entry in names.world.imports(current.id):
            if entry.module.startswith("./") and (other := _file_of(names, current, entry.module[2:])):
                result = [symbol for symbol in names.world.members(other.symbol).get(name, ()) if _is_macro(symbol)]
                if result:
                    return names.first_by_position(result, Origin.NAMESPACE).inferred()
        own = [symbol for symbol in names.world.members(current.symbol).get(name, ()) if _is_macro(symbol)]
        if own:
            return names.first_by_position(own, Origin.NAMESPACE)
        current = _parent(names, current)
    return None


def _is_macro(symbol: Symbol) -> bool:
    return symbol.kind == SymbolKind.MACRO


def first_callable(world: SymbolTable, targets: Sequence[Target | None]) -> Target:
    """The first of `targets` that can be called, where a module or a type that is no struct has the name as well;
    EXTERNAL if there is none.
    """
    callable_ones = (
        target
        for target in targets
        if target is not None and target.symbol and world.symbol(target.symbol).kind not in NOT_CALLABLE
    )
    return next(callable_ones, EXTERNAL)
