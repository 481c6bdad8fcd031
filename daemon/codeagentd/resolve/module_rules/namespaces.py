"""GraphQL, SQL, Protocol Buffers, Solidity and others: lookup of names in the enclosing namespaces and those that a
file uses, across files.
"""

from __future__ import annotations

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import Usage

from .rule import FUNCTIONS, ModuleRule


class NamespaceFiles(ModuleRule):
    """The module rule of languages whose imports name files, and whose bare names are looked up in namespaces."""

    depends_on_position = True

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The target of a bare `name` inside of `place`: an inherited member, then a name of the namespaces around
        `place`, then of those that `file` uses.
        """
        result = _free(names, file, place, name)
        if result is None and name in languages()[file.language].symbols.ambient:
            return EXTERNAL
        return result


class NamespaceModules(NamespaceFiles):
    """The module rule of languages whose imports name namespaces."""

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The target of `name` of the namespace `module`, or of the namespace itself without a name; EXTERNAL if the
        repository does not declare it.
        """
        result = names.world.qualified(file.language, f"{module}.{name}" if name not in ("", "*") else module)
        return names.first_by_position(result, Origin.IMPORT) if result else EXTERNAL


class UsedModules(NamespaceModules):
    """The module rule of Fortran and Verilog: a unit inside of a file may use a namespace for itself."""

    importing = FUNCTIONS | {SymbolKind.MODULE}

    def on_demand_import(
        self, names: NameLookup, file: File, place: Symbol, module: str, name: str, use: Usage
    ) -> Target | None:
        """The target of `name` in the namespace `module`, which a unit around `place` uses."""
        symbols = names.world.qualified(file.language, f"{module}.{name}")
        return names.first_by_position(symbols, Origin.WILDCARD) if symbols else None


def _free(names: NameLookup, file: File, place: Symbol, name: str) -> Target | None:
    current: Symbol | None = place
    while current is not None:
        if current.kind in TYPES and (result := names.inheritance.member(current.id, name)):
            return result
        current = names.world.symbol(current.parent) if current.parent else None
    imports = [*names.world.imports(file.id), *names.world.global_imports(file)]
    for prefix in [*enclosing_namespaces(names, place), *(entry.module for entry in imports if entry.name == "*")]:
        if symbols := names.world.qualified(file.language, f"{prefix}.{name}" if prefix else name):
            return names.first_by_position(symbols, Origin.NAMESPACE)
    for entry in imports:
        types = names.world.qualified(file.language, entry.module) if entry.name == "*" else ()
        if types and types[0].kind in TYPES and (result := names.inheritance.member(types[0].id, name)):
            return result.with_origin(Origin.WILDCARD)
    return None


def enclosing_namespaces(names: NameLookup, place: Symbol) -> list[str]:
    """The qualified names of the namespaces around `place`, innermost first; the last is '', the global one."""
    current: Symbol | None = place
    parts: list[str] = []
    while current is not None and current.parent:
        if current.kind == SymbolKind.NAMESPACE:
            parts[:0] = current.name.split(".")
        current = names.world.symbol(current.parent)
    return [".".join(parts[:count]) for count in range(len(parts), -1, -1)]
