"""Go: a package is the namespace symbol of its folder's files; imports refer to packages, bare names to their own."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import Final

from codeagentd.model.kinds import Confidence, Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import File, Symbol
from codeagentd.resolve.targets import EXTERNAL, Target
from codeagentd.resolve.usage import Usage

from .rule import ModuleRule

VENDOR: Final = "vendor/"
# a major version is part of an import path, not of a name (Go Modules Reference, "Major version suffixes")
_VERSION: Final = re.compile(r"(?:/v\d+|\.v\d+)$")


class GoModules(ModuleRule):
    """The module rule of Go: imports refer to packages, and bare names to their declarations."""

    def imported(self, names: NameLookup, file: File, module: str, name: str, depth: int) -> Target | None:
        """The package that the import path `module` names in `file`; EXTERNAL if the repository has none."""
        return _imported(names, file, module)

    def free(self, names: NameLookup, file: File, place: Symbol, name: str, use: Usage, tag: bool) -> Target | None:
        """The target of a bare `name` that nothing in `file` binds: a declaration of the own package, an imported
        package, or an exported name of a package that is imported with a dot. Any other is external.

        Source: The Go Programming Language Specification, "Declarations and scope", "Import declarations".
        """
        return _free(names, file, place, name)


def _free(names: NameLookup, file: File, place: Symbol, name: str) -> Target | None:
    package = _enclosing_package(names, place)
    result = names.world.members(package).get(name) if package else None
    imports = [entry for entry in names.world.imports(file.id) if entry.name != "*"] if result else ()
    if result and not any(name == (entry.local or _package_names(names, file, entry.module)[0]) for entry in imports):
        # a file that imports something of this name is not built with the one that declares it
        return names.first_by_position(result, Origin.NAMESPACE)
    dotted = []
    for entry in names.world.imports(file.id):
        if entry.name == "*":
            dotted.append(entry.module)
        elif entry.local == name or (not entry.local and name in _package_names(names, file, entry.module)):
            return names.imported(file, entry.module, "")
    for module in dotted:
        target = _imported(names, file, module)
        inside = names.world.members(target.symbol).get(name) if target.symbol and name[:1].isupper() else None
        if inside:
            return names.first_by_position(inside, Origin.WILDCARD)
    return EXTERNAL


def _imported(names: NameLookup, file: File, module: str) -> Target:
    packages = _packages(names, file, module)
    if not packages:
        return EXTERNAL
    chosen, is_sure = _nearest(names, file, module, packages)
    return Target(
        chosen.id, confidence=int(Confidence.EXACT if is_sure else Confidence.INFERRED), origin=int(Origin.IMPORT)
    )


def _package_names(names: NameLookup, file: File, module: str) -> tuple[str, ...]:
    """The names of a package: its own; of an external one, those that its path suggests."""
    target = _imported(names, file, module)
    if target.symbol:
        return (names.world.symbol(target.symbol).name,)
    last = posixpath.basename(_VERSION.sub("", module))
    return (
        last,
        last.removeprefix("go-"),
        last.removesuffix("-go"),
        last.removesuffix(".go"),
        last.replace("-", "_"),
        last.replace("-", ""),
    )


def _enclosing_package(names: NameLookup, place: Symbol) -> int:
    current = place
    while current.kind != SymbolKind.NAMESPACE and current.parent:
        current = names.world.symbol(current.parent)
    return current.id if current.kind == SymbolKind.NAMESPACE else 0


def _packages(names: NameLookup, file: File, module: str) -> list[Symbol]:
    """The packages with this import path that the file can see: a vendored one is for the folder around `vendor` (Go
    Modules Reference, "Vendoring").
    """
    result = []
    for symbol in names.world.qualified("go", module):
        if symbol.kind == SymbolKind.NAMESPACE:
            path = names.world.file(symbol.file).path
            at = path.rfind(f"/{VENDOR}") + 1 if f"/{VENDOR}" in path else 0
            if not path.startswith(VENDOR, at) or file.path.startswith(path[:at]):
                result.append(symbol)
    # a program beside a package is a tool that the build leaves out
    libraries = [symbol for symbol in result if symbol.name != "main"]
    return libraries or result


def _nearest(names: NameLookup, file: File, module: str, packages: Sequence[Symbol]) -> tuple[Symbol, bool]:
    """(the package, whether it is certain): of the own module, of a module in go.mod or go.work, else the nearest."""
    if len(packages) == 1:
        return packages[0], True
    folders = {posixpath.dirname(names.world.file(symbol.file).path): symbol for symbol in packages}
    own = [symbol for symbol in packages if names.world.file(symbol.file).project == file.project]
    if len(own) == 1:
        return own[0], True
    for path, places in names.world.entries(file.path, file.language):
        rest = module.removeprefix(path)
        if (
            path
            and places
            and module.startswith(path)
            and rest[:1] in ("", "/")
            and (package := folders.get(posixpath.normpath(f"{places[0]}/{rest}")))
        ):
            return package, True
    return min(packages, key=lambda symbol: _distance(file.path, names.world.file(symbol.file).path)), False


def _distance(path: str, other: str) -> tuple[int, str]:
    return -len(posixpath.commonprefix([path, other])), other
