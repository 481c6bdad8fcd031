"""ECMAScript: relative paths, tsconfig aliases, packages of the same repository."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Final

from codeagentd.resolve.symbol_table import File, SymbolTable

_SUFFIXES: Final = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_FROM_SCRIPT: Final = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs"),
    ".cjs": (".cts", ".cjs"),
}


def ecmascript(world: SymbolTable, file: File, module: str) -> Sequence[File]:
    """The files that `module` names in `file`: a relative path, an alias of tsconfig.json, or a package of the same
    repository.
    """
    if module.startswith("."):
        result = _script(world, posixpath.normpath(posixpath.join(posixpath.dirname(file.path), module)))
        return (result,) if result else ()
    for candidate in (*_aliased(world, file, module), *world.package(module)):
        if result := _script(world, candidate):
            return (result,)
    return ()


def _aliased(world: SymbolTable, file: File, module: str) -> list[str]:
    aliases = world.aliases(file.path)
    result = []
    for pattern, targets in sorted(aliases.paths, key=lambda item: -len(item[0])):
        head, star, tail = pattern.partition("*")
        if star and len(module) >= len(head) + len(tail) and module.startswith(head) and module.endswith(tail):
            middle = module[len(head) : len(module) - len(tail)]
            result += [target.replace("*", middle, 1) for target in targets]
        elif module == pattern:
            result += targets
    if aliases.base is not None:
        result.append(posixpath.normpath(posixpath.join(aliases.base, module)))
    return result


def _script(world: SymbolTable, path: str) -> File | None:
    """The source file of a path that may lack its extension, name a folder, or name the script that will be built."""
    if path.startswith("../"):
        return None
    path = "" if path == "." else path
    stem, suffix = posixpath.splitext(path)
    candidates = [stem + other for other in _FROM_SCRIPT.get(suffix, ())]
    candidates += [path] if suffix else []
    candidates += [path + other for other in _SUFFIXES] if path else []
    candidates += [posixpath.join(path, "index") + other for other in _SUFFIXES]
    return next((result for candidate in candidates if (result := world.file_at(candidate))), None)
