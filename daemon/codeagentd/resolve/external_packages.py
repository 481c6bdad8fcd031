"""External packages, by the modules that imports name, and the names that are imported from them.

A rule returns the package of a module that is not in this repository; '' where the module must be of this repository (a
relative path, a module of its own that was generated or is missing) or where the language's imports do not say which
package a name belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import SOMEWHERE
from codeagentd.model.kinds import Origin

from .symbol_table import File, SymbolTable
from .targets import EXTERNAL, ExternalSymbol, Target, TargetKind

Rule = Callable[[SymbolTable, File, str], str]

LONGEST: Final = 200  # characters of a qualified name: longer ones are chains of attributes, not definitions
_WHOLE: Final = frozenset({"", "*", "default"})  # names that stand for the module itself
_NPM: Final = re.compile(r"(?:node:)?((?:@[\w.~-]+/)?[A-Za-z0-9_][\w.~-]*)(?:/|$)")
_GO_HOSTED: Final = re.compile(r"(?:github\.com|gitlab\.com|bitbucket\.org|golang\.org)/[^/]+/[^/]+|[^/]*\.[^/]+/[^/]+")


def nothing(world: SymbolTable, file: File, module: str) -> str:
    """Languages whose imports name no package."""
    return ""


def dotted(world: SymbolTable, file: File, module: str) -> str:
    """Python: the first part of an absolute name."""
    head = module.partition(".")[0]
    return "" if not head or world.files_of_module(head) or world.is_namespace(head) else head


def npm(world: SymbolTable, file: File, module: str) -> str:
    """Node.js: the package of a bare specifier is its first part, or the first two where it has a scope; `node:fs` is
    `fs`.
    """
    match = _NPM.match(module)
    return match[1] if match and not world.package(match[1]) else ""


def go(world: SymbolTable, file: File, module: str) -> str:
    """Go: the import path up to the repository on well-known hosts; the whole path for the standard library."""
    match = _GO_HOSTED.match(module)
    return match[0] if match else "" if module.startswith(".") or module == "C" else module


def crate(world: SymbolTable, file: File, module: str) -> str:
    """Rust: the crate that a path begins with."""
    head = module.lstrip(":").partition("::")[0]
    return "" if head in ("crate", "self", "super", "") or head.startswith(".") else head


def slashed(world: SymbolTable, file: File, module: str) -> str:
    """Ruby: the path on the load path up to its first slash."""
    return "" if module.startswith((".", "/", SOMEWHERE)) else module.partition("/")[0]


def namespaced(world: SymbolTable, file: File, module: str) -> str:
    """PHP: the first name of the namespace, which its vendor chose."""
    return module.strip("\\").partition("\\")[0]


def header(world: SymbolTable, file: File, module: str) -> str:
    """C and C++: a header that is not looked for beside the file."""
    return module.strip("<>") if module.startswith("<") else ""


def whole(world: SymbolTable, file: File, module: str) -> str:
    """Java and similar languages: the whole name of the package."""
    return "" if module.startswith((".", "/")) else module


RULES: Final[dict[str, Rule]] = {
    "none": nothing, "dotted": dotted, "npm": npm, "go": go, "crate": crate, "slashed": slashed,
    "namespaced": namespaced, "header": header, "whole": whole,
}  # fmt: skip


def outside(world: SymbolTable, file: File, module: str, name: str) -> Target:
    """The target that an import of an external module binds; EXTERNAL when the package is unknown."""
    language = languages()[file.language]
    package = RULES[language.rules.packages](world, file, module)
    if not package:
        return EXTERNAL
    separator = language.symbols.separator
    own = module.removeprefix("node:").strip(":<>\\").replace("\\", separator)
    result = Target(
        kind=TargetKind.EXTERNAL,
        origin=int(Origin.IMPORT),
        outside=ExternalSymbol(language.family or language.name, package, own, separator),
    )
    return result if name in _WHOLE else within(result, name)


def within(target: Target, name: str) -> Target:
    """The target of a member of an external symbol."""
    symbol = target.outside
    if symbol is None or len(symbol.name) + len(name) > LONGEST:
        return EXTERNAL
    inner = ExternalSymbol(symbol.family, symbol.package, f"{symbol.name}{symbol.separator}{name}", symbol.separator)
    return Target(kind=TargetKind.EXTERNAL, confidence=target.confidence, origin=int(Origin.MEMBER), outside=inner)
