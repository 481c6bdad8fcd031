"""OCaml: names through paths of modules, and those that opened and included modules bring in.

Values, constructors, fields, types and modules have name spaces of their own. Source: The OCaml Manual 4.14, 11.3
"Names".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, Origin, SymbolKind, kinds_of
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.query_cache import QueryCache
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import ANY, CALLED_WITHOUT_ARGUMENTS, TYPE, Usage

from .rule import NameRule

_SPACES: Final[dict[str, frozenset[int]]] = {
    "module": frozenset({SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.INTERFACE}),
    "type": frozenset(TYPES),
    "constructor": frozenset({SymbolKind.ENUM_MEMBER}),
    "field": frozenset({SymbolKind.FIELD}),
    "value": frozenset({SymbolKind.FUNCTION, SymbolKind.PROPERTY, SymbolKind.METHOD, SymbolKind.VARIABLE}),
}
_MODULES: Final = _SPACES["module"]
_FIELD: Final = CALLED_WITHOUT_ARGUMENTS  # the use of a name that is captured as @destructured

Key = tuple[int, str, str]


class OCamlNames(NameRule):
    """The name rule of OCaml."""

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of the module with the path `module`, as opened in `file`."""
        result = _module(names, file, module)
        return Target(result.id, origin=int(Origin.IMPORT)) if result else EXTERNAL

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of a bare `name` that nothing in `file` binds: of an opened module, or a module that is a file."""
        space = _space(name, use)
        return (
            _at_top(names, file, name, space) or (_file(names, file, name) if space == "module" else None) or EXTERNAL
        )

    def bound(
        self, names: NameLookup, file: File, place: Symbol, symbol: Symbol, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of a `name` that `file` binds to `symbol`, which may be of another name space than is meant."""
        return (
            Target(symbol.id) if symbol.kind in _SPACES[_space(name, use)] else self.free(names, file, place, name, use)
        )

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `name` if `module`, which is opened around `place`, has it."""
        opened = _module(names, file, module, place)
        result = _member(names, opened, name, _space(name, use)) if opened else None
        return result.with_origin(Origin.WILDCARD) if result else None

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of a module or type, as seen from the scope around `place`."""
        return _visible(names, file, place, name, _space(name, use))

    def member_of_target(
        self, names: NameLookup, place: Symbol, target: Target, name: str, use: Usage = ANY
    ) -> Target | None:
        """The target of `name` of the module `target`."""
        symbol = names.world.symbol(target.symbol) if target.symbol else None
        if symbol is None or symbol.kind not in _MODULES:
            return EXTERNAL if target.is_external else None
        result = _member(names, symbol, name, _space(name, use))
        return result.with_origin(Origin.MEMBER).capped_by(target) if result else EXTERNAL

    def member_of_unknown(self, names: NameLookup, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The field `name` of a record: the one that is visible inside of `place`, else the only one of that name."""
        if use is not _FIELD:
            return None
        file = names.world.file(place.file)
        if result := _visible(names, file, place, name, "field"):
            return result
        fields = [symbol for symbol in names.named(name, file.language) if symbol.kind == SymbolKind.FIELD]
        stems = {names.world.file(field.file).module for field in fields}
        return names.first_by_position(fields, Origin.UNIQUE_NAME).inferred() if len(stems) == 1 else EXTERNAL


def _space(name: str, use: Usage) -> str:
    """The name space of a name by how it is used and written."""
    if use is _FIELD:
        return "field"
    is_large = name[:1].isupper()
    if use is TYPE:
        return "module" if is_large else "type"
    return "constructor" if is_large else "value"


def _visible(names: NameLookup, file: File, place: Symbol, name: str, space: str) -> Target | None:
    """The target of a bare `name` as seen inside of `place`: of a module around it, or at the top of `file`."""
    current = place
    while current.parent:
        if current.kind in _MODULES and (result := _member(names, current, name, space)):
            return result.with_origin(Origin.SCOPE)
        current = names.world.symbol(current.parent)
    return _at_top(names, file, name, space) or (_file(names, file, name) if space == "module" else None)


def _file(names: NameLookup, file: File, name: str) -> Target | None:
    files = names.files(file, name)
    return Target(files[0].symbol, origin=int(Origin.IMPORT)) if files else None


def _module(names: NameLookup, file: File, path: str, place: Symbol | None = None, alias: int = 0) -> Symbol | None:
    """The module with the dotted `path`, as seen in `file`, inside of `place`; it is not `alias`, the module that it
    is another name of.
    """
    head, *rest = path.split(".")
    start = place or names.world.symbol(file.symbol)
    target = _visible(names, file, start, head, "module")
    if target and target.symbol == alias:
        target = _file(names, file, head)
    for name in rest:
        if target is None:
            return None
        target = _member(names, names.world.symbol(target.symbol), name, "module")
    return names.world.symbol(target.symbol) if target and target.symbol else None


def _cache(names: NameLookup) -> QueryCache[Key, Target | None]:
    """A cache of members by the id of a module, a name and its name space."""
    return QueryCache(names.queries)


def _member(names: NameLookup, module: Symbol, name: str, space: str) -> Target | None:
    """The target of `name` in a module."""
    if not names.named(name, names.world.file(module.file).language):
        return None
    return names.state(_cache).get_or_compute((module.id, name, space), None, _find_member, names, module, name, space)


def _find_member(names: NameLookup, module: Symbol, name: str, space: str) -> Target | None:
    file = names.world.file(module.file)
    if module.id == file.symbol:
        pair = _pair(names, file)
        if not all(_offers(names, other, name, space) for other in pair):
            return None
        own = next((own for other in pair if (own := _own(names, other, other.symbol, name, space))), None)
        return own or next((own for other in pair if (own := _through(names, other, name, space, exported=True))), None)
    if own := _own(names, file, module.id, name, space):
        return own
    place = names.world.symbol(module.parent) if module.parent else None
    for base in reversed((*module.bases, *filter(None, (module.type, module.returns)))):
        other = _module(names, file, base, place, module.id)
        if other and (result := _member(names, other, name, space)):
            return result
    return None


def _pair(names: NameLookup, file: File) -> Sequence[File]:
    """The implementation and the interface that a file is one of."""
    return names.files(file, file.module) if file.module else (file,)


def _offers(names: NameLookup, file: File, name: str, space: str) -> bool:
    """Whether a file has `name` for others, as far as is known: an interface lists all that they see."""
    if not file.path.endswith("i"):
        return True
    includes = any(entry.exported for entry in names.world.imports(file.id))
    return includes or _own(names, file, file.symbol, name, space) is not None


def _own(names: NameLookup, file: File, module: int, name: str, space: str) -> Target | None:
    """What a module itself defines, also inside of its types; the last one of several."""
    kinds, open_types = _SPACES[space], kinds_of(languages()[file.language].symbols.open_types)
    own = [
        symbol
        for symbol in names.named(name, file.language)
        if symbol.file == file.id
        and symbol.kind in kinds
        and (
            symbol.parent == module
            or (
                symbol.parent
                and (outer := names.world.symbol(symbol.parent)).parent == module
                and outer.kind in open_types
            )
        )
    ]
    return Target(max(own, key=lambda symbol: symbol.line).id, origin=int(Origin.MEMBER)) if own else None


def _at_top(names: NameLookup, file: File, name: str, space: str) -> Target | None:
    """The target of `name` at the top of a file: its own, or of a module that it opens or includes."""
    if not names.named(name, file.language):
        return None
    return _own(names, file, file.symbol, name, space) or _through(names, file, name, space, exported=False)


def _through(names: NameLookup, file: File, name: str, space: str, *, exported: bool) -> Target | None:
    """The target of `name` of the last module that has it, of those that a file includes, or with `exported` false also
    of those that it opens.
    """
    for module in reversed(list(_opened(names, file, exported=exported))):
        if result := _member(names, module, name, space):
            return result.with_origin(Origin.REEXPORT if exported else Origin.WILDCARD)
    return None


def _opened(names: NameLookup, file: File, *, exported: bool) -> Iterator[Symbol]:
    for entry in names.world.imports(file.id):
        if entry.name == "*" and entry.module and (entry.exported or not exported):
            head, *rest = entry.module.split(".")
            target = _own(names, file, file.symbol, head, "module") or _file(names, file, head)
            for step in rest:
                target = _member(names, names.world.symbol(target.symbol), step, "module") if target else None
            if target and target.symbol != file.symbol:
                yield names.world.symbol(target.symbol)
