"""Names as they are called inside of their file, since compact rows stand below the path of it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Final

_OF_FILE: Final = ".#/"  # signs after the path of a document in the names of its parts
_PYTHON_PACKAGE: Final = "__init__"
_RUST_FOLDERS: Final = ("mod", "lib", "main")  # files that are named by their folder
_RUST_PROGRAMS: Final = "bin"
_GO_PACKAGE: Final = re.compile(r".*/[^/.]+(?:\.v\d+)?\.(?!v\d+$)(?=[^/]+$)")  # `gopkg.in/yaml.v3.Node`


def local_name(qualified_name: str, path: str) -> str:
    """Return `qualified_name` without the beginning that repeats `path`, the file of the symbol; '' for the file's own
    symbol.

    `celery.app.base.Celery.finalize` in celery/app/base.py is `Celery.finalize`.
    """
    stem, suffix = posixpath.splitext(path)
    rule = _RULES.get(suffix)
    if rule and rule in _MODULES:  # `web/app.ts` may be a variable `ts` of web/app.ts
        return rule(qualified_name, stem)
    if qualified_name == path:
        return ""
    if path and qualified_name.startswith(path) and qualified_name[len(path)] in _OF_FILE:
        return qualified_name[len(path) + 1 :]
    return rule(qualified_name, stem) if rule else qualified_name


def _module(qualified_name: str, stem: str) -> str:
    """A name in a language where the path without its extension is the module."""
    stem = stem.removesuffix(".d")
    if qualified_name == stem:
        return ""
    return qualified_name[len(stem) + 1 :] if qualified_name.startswith(f"{stem}.") else qualified_name


def _python(qualified_name: str, stem: str) -> str:
    folders = stem.split("/")
    if folders[-1] == _PYTHON_PACKAGE:
        folders.pop()
    return _below(folders, qualified_name, ".")


def _package(qualified_name: str, stem: str) -> str:
    """A name in a language whose packages are usually folders; that of a package stays."""
    return _below(stem.split("/")[:-1], qualified_name, ".") or qualified_name


def _go(qualified_name: str, stem: str) -> str:
    """A name below its package; that of the package stays."""
    if package := _GO_PACKAGE.match(qualified_name):
        return qualified_name[package.end() :]
    return qualified_name.removeprefix(f"{posixpath.basename(posixpath.dirname(stem))}.")


def _rust(qualified_name: str, stem: str) -> str:
    """A name below its crate and the modules that the folders below `src` are."""
    folders, parts = stem.split("/"), qualified_name.split("::")
    if folders[-1] in _RUST_FOLDERS:
        folders.pop()
    if "src" in folders:
        modules = folders[len(folders) - folders[::-1].index("src") :]
        crate = 2 if parts[0] == _RUST_PROGRAMS and not modules else 1
        if parts[crate : crate + len(modules)] == modules:
            return "::".join(parts[crate + len(modules) :])
    return _below(folders, qualified_name, "::")


def _below(folders: Sequence[str], qualified_name: str, separator: str) -> str:
    """The name without the longest beginning that is the end of `folders`."""
    parts = qualified_name.split(separator)
    for count in range(min(len(parts), len(folders)), 0, -1):
        if parts[:count] == list(folders[-count:]):
            return separator.join(parts[count:])
    return qualified_name


# the suffix of a file -> what its language leaves out of (qualified name, path without the suffix); names of other
# languages do not begin with the path
_RULES: Final[dict[str, Callable[[str, str], str]]] = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), _python),
    **dict.fromkeys((".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx", ".vue", ".svelte"), _module),
    **dict.fromkeys((".java", ".kt", ".kts", ".scala", ".sc", ".cs", ".csx", ".php"), _package),
    ".go": _go,
    ".rs": _rust,
}

_MODULES: Final = (_module, _python)  # where the file's own symbol has the name of the module, not the path


def within(qualified_name: str, path: str) -> str:
    """Return the local name of a symbol, or `(module)` for code at the top of the file."""
    return local_name(qualified_name, path) or "(module)"


def shortened(text: str, length: int) -> str:
    """Return `text` on one line, with at most `length` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
