"""PHP: namespaces, and names that are imported into a file.

Source: PHP manual, "Namespaces", section "Name resolution rules".
"""

from __future__ import annotations

from collections.abc import Sequence

from codeagentd.model.kinds import TYPES, Confidence, Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol, SymbolTable
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import ANY, TYPE, Usage

from .rule import NameRule


class PhpNames(NameRule):
    """The name rule of PHP. Names are qualified with backslashes; a class is known by its qualified name, wherever it
    is declared.
    """

    def imported(self, names: NameLookup, file: File, module: str, name: str, use: Usage = ANY) -> Target | None:
        """The target of `use module\\name` in `file`, EXTERNAL if the repository has none; None for an included file,
        whose `module` is a path.
        """
        if name == "*":
            return None
        return _qualified_symbol(names.world, file, f"{module}\\{name}") or EXTERNAL

    def declared(self, names: NameLookup, file: File, place: Symbol, text: str) -> Target | None:
        """The target of the type `text` in a declaration, looked up like all other names; EXTERNAL if no file declares
        it.
        """
        return self._resolved(names.world, file, place, text.replace(".", "\\"), types=True) or EXTERNAL

    def lookup_first_name(
        self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = TYPE
    ) -> Target | None:
        """The target of `name`, the first name of an expression in a declaration: a type or a function."""
        return self.free(names, file, place, name)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage = ANY) -> Target | None:
        """The target of `name` inside of `place`: fully qualified, relative to the namespace, through an import, or in
        the namespace. Functions and constants are also looked up in the global namespace.
        """
        return None if name.startswith("$") else self._resolved(names.world, file, place, name, types=False)

    def _resolved(self, world: SymbolTable, file: File, place: Symbol, name: str, types: bool) -> Target | None:
        first, sign, rest = name.partition("\\")
        if not first:
            return _qualified_symbol(world, file, rest)
        namespace = _namespace_of(world, place)
        if sign and first.lower() == "namespace":
            return _qualified_symbol(world, file, f"{namespace}\\{rest}")
        entry = next((entry for entry in world.imports(file.id) if entry.local == first and entry.name != "*"), None)
        if entry is not None:
            return _qualified_symbol(world, file, f"{entry.module}\\{entry.name}{sign}{rest}")
        result = _qualified_symbol(world, file, f"{namespace}\\{name}")
        if result or sign or types or not namespace:
            return result
        return _qualified_symbol(world, file, name, but_types=True)


def _qualified_symbol(world: SymbolTable, file: File, name: str, but_types: bool = False) -> Target | None:
    """The symbol with a whole name."""
    dotted = name.strip("\\").replace("\\", ".")
    result = [
        symbol
        for symbol in world.qualified(file.language, dotted)
        if symbol.parent and not (but_types and symbol.kind in TYPES)
    ]
    return _chosen(world, file, dotted, result) if result else None


def _chosen(world: SymbolTable, file: File, name: str, symbols: Sequence[Symbol]) -> Target:
    """One of several declarations: that of the file's own project, then that which the autoloader would load
    (PSR-4).
    """
    if len(symbols) > 1:
        symbols = [symbol for symbol in symbols if world.file(symbol.file).project == file.project] or symbols
    if len(symbols) > 1:
        loaded = {other.id for other in world.files_of_module(name)}
        symbols = [symbol for symbol in symbols if symbol.file in loaded] or symbols
    best = min(symbols, key=lambda symbol: (symbol.kind not in TYPES, world.file(symbol.file).path, symbol.line))
    confidence = Confidence.EXACT if len(symbols) == 1 else Confidence.INFERRED
    return Target(best.id, confidence=int(confidence), origin=int(Origin.NAMESPACE))


def _namespace_of(world: SymbolTable, place: Symbol) -> str:
    """The namespace around a place, as written; '' for the global one."""
    current: Symbol | None = place
    while current is not None:
        if current.kind == SymbolKind.NAMESPACE:
            return current.name.replace(".", "\\")
        current = world.symbol(current.parent) if current.parent else None
    return ""
