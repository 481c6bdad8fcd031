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
_GO_HOSTED: Final = re.compile(
    r"(?:github\.com|gitlab\.com|bitbucket\.org|golang\.org)/[^/]+/[^/]+|[^/.]*\.[^/]+/[^/]+"
)


def nothing(world: SymbolTable, file: File, module: str) -> str:
    """Return '': the rule of languages whose imports name no package."""
    return ""


def dotted(world: SymbolTable, file: File, module: str) -> str:
    """Return the Python package of `module`: the first part of an absolute name; '' if the repository has it."""
    head = module.partition(".")[0]
    return "" if not head or world.files_of_module(head) or world.is_namespace(head) else head


def npm(world: SymbolTable, file: File, module: str) -> str:
    """Return the npm package of the bare specifier `module`: its first part, with the scope if it has one. `node:fs` is
    the same as `fs`. '' if the repository has the package.
    """
    match = _NPM.match(module)
    return match[1] if match and not world.package(match[1]) else ""


def go(world: SymbolTable, file: File, module: str) -> str:
    """Return the Go package of the import path `module`: the path up to the end of the repository on a well-known host,
    or the whole path for the standard library.
    """
    match = _GO_HOSTED.match(module)
    return match[0] if match else "" if module.startswith(".") or module == "C" else module


def crate(world: SymbolTable, file: File, module: str) -> str:
    """Return the Rust crate that the path `module` begins with; '' for the own crate."""
    head = module.lstrip(":").partition("::")[0]
    return "" if head in ("crate", "self", "super", "") or head.startswith(".") else head


def slashed(world: SymbolTable, file: File, module: str) -> str:
    """Return the Ruby package of a `module` that is required from the load path: the part before the first slash."""
    return "" if module.startswith((".", "/", SOMEWHERE)) else module.partition("/")[0]


def namespaced(world: SymbolTable, file: File, module: str) -> str:
    """Return the PHP package of a `module`: the first name of the namespace, which its vendor chose."""
    return module.strip("\\").partition("\\")[0]


def header(world: SymbolTable, file: File, module: str) -> str:
    """Return the C or C++ header that `module` names in angle brackets; '' for one in quotes, which is looked for
    beside the file.
    """
    return module.strip("<>") if module.startswith("<") else ""


def whole(world: SymbolTable, file: File, module: str) -> str:
    """Return `module` itself: in Java and similar languages a package has its whole name. '' for a path."""
    return "" if module.startswith((".", "/")) else module


def dart(world: SymbolTable, file: File, module: str) -> str:
    """Return the Dart package of `module`: the name after `package:`, or a library of the SDK, `dart:async`."""
    if module.startswith("dart:"):
        return module
    scheme, _, path = module.partition(":")
    return path.partition("/")[0] if scheme == "package" else ""


RULES: Final[dict[str, Rule]] = {
    "none": nothing, "dotted": dotted, "npm": npm, "go": go, "crate": crate, "slashed": slashed,
    "namespaced": namespaced, "header": header, "whole": whole, "dart": dart,
}  # fmt: skip


def outside(world: SymbolTable, file: File, module: str, name: str) -> Target:
    """The external target that an import of `name` from `module` binds in `file`; EXTERNAL if its package
    is unknown.
    """
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
    """The external target of the member `name` of the external `target`; EXTERNAL if the package is unknown or the name
    too long.
    """
    symbol = target.outside
    if symbol is None or len(symbol.name) + len(name) > LONGEST:
        return EXTERNAL
    inner = ExternalSymbol(symbol.family, symbol.package, f"{symbol.name}{symbol.separator}{name}", symbol.separator)
    return Target(kind=TargetKind.EXTERNAL, confidence=target.confidence, origin=int(Origin.MEMBER), outside=inner)
