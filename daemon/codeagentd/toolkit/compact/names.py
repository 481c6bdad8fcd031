"""Names as they are called inside of their file, since compact rows stand below the path of it."""

from __future__ import annotations

import posixpath
from typing import Final

# languages in which a file is a module of its own, so that the qualified name contains the name of the file
_MODULE_FILES: Final = (".py", ".pyi", ".ipynb")
DECLARATIONS: Final = ".d.ts"
_PACKAGE: Final = "__init__"


def local_name(qualified_name: str, path: str) -> str:
    """Return `qualified_name` without the beginning that repeats `path`, the file of the symbol; '' for the file's own
    symbol.

    `celery.app.base.Celery.finalize` in celery/app/base.py is `Celery.finalize`.
    """
    stem, suffix = posixpath.splitext(path.removesuffix(DECLARATIONS) + ".ts" if path.endswith(DECLARATIONS) else path)
    if qualified_name in (path, stem):
        return ""
    if qualified_name.startswith(f"{stem}."):
        return qualified_name[len(stem) + 1 :]
    folders = stem.split("/")
    if suffix not in _MODULE_FILES or folders[-1] == _PACKAGE:
        folders.pop()
    parts = qualified_name.split(".")
    for count in range(min(len(parts), len(folders)), 0, -1):
        if parts[:count] == folders[-count:]:
            return ".".join(parts[count:])
    return qualified_name


def within(qualified_name: str, path: str) -> str:
    """Return the local name of a symbol, or `(module)` for code at the top of the file."""
    return local_name(qualified_name, path) or "(module)"


def shortened(text: str, length: int) -> str:
    """Return `text` on one line, with at most `length` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
